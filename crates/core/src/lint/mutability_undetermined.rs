//! `mutability-undetermined`: whether the variable changes cannot be judged; that is an error, never a pass. [S0]

use super::judge::{Case, Use};
use crate::catalog::{Mutability, Variable};
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    if !case.judge.is_stable(case.header) || case.judge.is_mutable(variable).is_some() {
        return None;
    }
    let name = used.first;
    let message = match (&variable.mutable, &case.judge.environment) {
        (Mutability::When(_), None) => msg!(
            "whether `{name}` changes depends on the environment, and none is chosen; name one as `environment` in promptblock.toml",
            "`{name}` 是否可变取决于环境，但没有选定环境；请在 promptblock.toml 中用 `environment` 指定"
        ),
        (Mutability::When(_), Some(environment)) => {
            let environment = &environment.name;
            msg!(
                "whether `{name}` changes cannot be judged: environment `{environment}` lacks a field that its `when` asks for",
                "无法判断 `{name}` 是否可变：环境 `{environment}` 缺少其 `when` 条件用到的字段"
            )
        }
        _ => msg!(
            "whether `{name}` changes is not known; say so in the catalog with `mutable: true` or `false`",
            "不知道 `{name}` 是否可变；请在变量目录中写明 `mutable: true` 或 `false`"
        ),
    };
    Some(used.on_name(Code::MutabilityUndetermined, message))
}
