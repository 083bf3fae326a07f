;;; promptblock-mode.el --- Prompt blocks, checked while you type  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages

;;; Commentary:

;; A major mode for block files, and the server `promptblock lsp' for eglot.  Catalogs, environments
;; and promptblock.toml get the server too, so that what is not saved yet counts.

;;; Code:

(require 'cl-lib)
(require 'js)
(require 'conf-mode)
(require 'project)
(require 'seq)

(defvar eglot-server-programs)

(defgroup promptblock nil
  "Prompt blocks, checked while you type."
  :group 'languages)

(defcustom promptblock-server-command '("promptblock" "lsp")
  "How the server is started: program and arguments."
  :type '(repeat string))

(defcustom promptblock-locale nil
  "Language of the messages, \"en\" or \"zh-CN\".
If nil, the one of the environment (LC_ALL, LC_MESSAGES, LANG)."
  :type '(choice (const :tag "As the environment" nil) string))

(defvar promptblock-font-lock-keywords
  '(("\\`\\(?:\ufeff\\)?---[ \t]*$" . font-lock-comment-delimiter-face)
    ("^---[ \t]*$" . font-lock-comment-delimiter-face)
    ("^\\(id\\|zone\\|order\\|role\\|template\\|complete\\|cache\\|plugin\\|description\\|allow\\):"
     1 font-lock-keyword-face)
    ("{[ \t]*\\(/?\\(?:if\\|elseif\\|else\\|for\\|while\\|repeat\\)\\)\\_>" 1 font-lock-builtin-face)
    ("{[ \t]*\\([[:alpha:]_][[:alnum:]_.]*\\)[^{}\n]*}" 1 font-lock-variable-name-face))
  "Colours that need no server.")

;;;###autoload
(define-derived-mode promptblock-mode text-mode "PromptBlock"
  "Major mode for prompt blocks: a header and a body that may be a template.
There are no comments in a block: everything in it reaches the model."
  (setq-local font-lock-defaults '(promptblock-font-lock-keywords t))
  (setq-local require-final-newline nil))

;; Modes of their own for the files beside the blocks: all JSON and TOML files would get the server else.

;;;###autoload
(define-derived-mode promptblock-json-mode js-mode "PromptBlock-JSON"
  "Major mode for catalogs and environments of prompt blocks.
They are JSON in which comments and trailing commas are allowed.")

;;;###autoload
(define-derived-mode promptblock-toml-mode conf-toml-mode "PromptBlock-TOML"
  "Major mode for promptblock.toml.")

(put 'promptblock-json-mode 'eglot-language-id "jsonc")
(put 'promptblock-toml-mode 'eglot-language-id "toml")

;;;###autoload
(progn
  (add-to-list 'auto-mode-alist '("\\.promptblock\\'" . promptblock-mode))
  (add-to-list 'auto-mode-alist
               '("/promptblock\\.\\(?:catalog\\|catalog\\.local\\|env\\)\\.json\\'" . promptblock-json-mode))
  (add-to-list 'auto-mode-alist '("/promptblock\\.toml\\'" . promptblock-toml-mode)))

(defun promptblock--locale ()
  "The language to ask the server for."
  (or promptblock-locale
      (let ((lang (seq-find (lambda (value) (and value (not (string-empty-p value))))
                            (mapcar #'getenv '("LC_ALL" "LC_MESSAGES" "LANG")))))
        (if (or (null lang) (string-match-p "\\`\\(C\\|POSIX\\)\\(\\.\\|\\'\\)" lang))
            "en"
          (replace-regexp-in-string
           "_" "-" (replace-regexp-in-string "[.@].*\\'" "" lang))))))

(defun promptblock--project (dir)
  "The project of DIR: the nearest folder above with a config or a catalog."
  (when-let ((root (seq-some (lambda (marker) (locate-dominating-file dir marker))
                             '("promptblock.toml" "promptblock.catalog.json"))))
    (cons 'promptblock (expand-file-name root))))

(cl-defmethod project-root ((project (head promptblock)))
  "The folder of PROJECT."
  (cdr project))

(defun promptblock--server (_interactive)
  "What eglot starts."
  (append promptblock-server-command
          (list :initializationOptions `(:locale ,(promptblock--locale)))))

;;;###autoload
(defun promptblock-ensure ()
  "Start eglot for this buffer, in the project of its prompt blocks."
  (setq-local project-find-functions (cons #'promptblock--project project-find-functions))
  (eglot-ensure))

(declare-function eglot-current-server "eglot")
(declare-function eglot--TextDocumentIdentifier "eglot")
(declare-function jsonrpc-request "jsonrpc")

(defun promptblock-show-assembly (&optional environment)
  "Show what the model is sent in ENVIRONMENT, the project's own by default.
With a prefix argument, ask for the environment."
  (interactive (list (when current-prefix-arg (read-string "Environment: "))))
  (let* ((server (or (eglot-current-server) (user-error "No server here; see `promptblock-ensure'")))
         (uri (plist-get (eglot--TextDocumentIdentifier) :uri))
         (arguments (if environment (vector uri environment) (vector uri)))
         (text (jsonrpc-request server :workspace/executeCommand
                                `(:command "promptblock.showAssembly" :arguments ,arguments))))
    ;; An eglot that can show documents is asked to by the server.
    (when (stringp text)
      (with-current-buffer (get-buffer-create "*promptblock assembly*")
        (let ((inhibit-read-only t))
          (erase-buffer)
          (insert text))
        (goto-char (point-min))
        (special-mode)
        (display-buffer (current-buffer))))))

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               '((promptblock-mode promptblock-json-mode promptblock-toml-mode)
                 . promptblock--server)))

(provide 'promptblock-mode)
;;; promptblock-mode.el ends here
