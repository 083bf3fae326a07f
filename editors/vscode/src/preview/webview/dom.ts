// Elements of the page. Children that are texts become text and nothing else.

export type Child = Node | string;

export function dom<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string>,
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
