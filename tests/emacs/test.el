;;; test.el --- eglot with the documented configuration  -*- lexical-binding: t; -*-
;;; Commentary:
;; Working directory: a copy of the sample project.
;;; Code:

(require 'cl-lib)
(require 'flymake)
(require 'eglot)

(defvar test-failed 0)

(defun test-check (name ok &optional extra)
  "Print PASS or FAIL and NAME by OK, EXTRA if it failed."
  (princ (format "%s %s%s\n" (if ok "PASS" "FAIL") name (if (or ok (not extra)) "" (format ": %S" extra))))
  (unless ok (cl-incf test-failed)))

(defun test-wait (condition)
  "Let the server speak until CONDITION holds, at most 10 seconds."
  (let ((end (+ (float-time) 10)) result)
    (while (and (not (setq result (funcall condition))) (< (float-time) end))
      (accept-process-output nil 0.05)
      ;; In batch mode nobody is idle, and flymake and eglot wait for that.
      (dolist (timer (copy-sequence timer-idle-list))
        (timer-event-handler timer)))
    result))

(defun test-open (file)
  "Visit FILE as a user does and wait for the server."
  (let ((buffer (find-file-noselect file)))
    (set-buffer buffer)
    (run-hooks 'post-command-hook)
    (test-wait (lambda () (with-current-buffer buffer (eglot-managed-p))))
    buffer))

(defun test-findings (buffer)
  "The marked texts of the errors in BUFFER."
  (with-current-buffer buffer
    (sort (cl-loop for d in (flymake-diagnostics)
                   when (memq (flymake-diagnostic-type d) '(eglot-error :error))
                   collect (buffer-substring-no-properties (flymake-diagnostic-beg d)
                                                           (flymake-diagnostic-end d)))
          #'string<)))

(defun test-expect (name buffer want)
  "Check as NAME that the errors in BUFFER become WANT."
  (with-current-buffer buffer
    (test-wait (lambda ()
                 (flymake-start)
                 (equal (test-findings buffer) want))))
  (test-check name (equal (test-findings buffer) want) (test-findings buffer)))

(condition-case problem
    (let ((block (test-open "rules.promptblock")))
      (test-check "mode of a block" (eq major-mode 'promptblock-mode) major-mode)
      (test-check "attached" (eglot-managed-p))
      (test-check "the project is the folder of promptblock.toml"
                  (file-equal-p (project-root (eglot--project (eglot-current-server))) default-directory))
      (test-expect "diagnostics, at the right characters behind CJK and emoji" block '("time" "usr_name"))

      (goto-char (point-min))
      (search-forward "order: 1")
      (let ((hover (eglot--hover-info
                    (plist-get (jsonrpc-request (eglot-current-server) :textDocument/hover
                                                (eglot--TextDocumentPositionParams))
                               :contents))))
        (test-check "hover on the order names the band" (string-match-p "[Tt]ool guidance" hover) hover))

      (goto-char (point-max))
      (insert "{")
      (run-hooks 'post-command-hook)
      (let* ((found (eglot-completion-at-point))
             (names (all-completions "" (nth 2 found) (plist-get (nthcdr 3 found) :predicate))))
        (test-check "completion lists the catalog"
                    (cl-every (lambda (name) (cl-find name names :test #'string-search)) '("user_name" "weather"))
                    names))
      (delete-char -1)

      (goto-char (point-min))
      (search-forward "usr_name")
      (replace-match "mood")
      (test-expect "an edit is judged at once" block '("mood" "time"))

      (let ((catalog (test-open "promptblock.catalog.json")))
        (test-check "mode of a catalog" (eq major-mode 'promptblock-json-mode) major-mode)
        (test-check "attached to the catalog" (eglot-managed-p))
        (test-check "one server for both" (eq (eglot-current-server)
                                              (with-current-buffer block (eglot-current-server))))
        (goto-char (point-min))
        (search-forward "\"user_name\"")
        (goto-char (match-beginning 0))
        (insert "\"mood\": {}, ")
        (run-hooks 'post-command-hook)
        (test-expect "the unsaved catalog counts" block '("time"))
        (set-buffer-modified-p nil)
        (kill-buffer catalog))

      (let ((other (find-file-noselect "package.json")))
        (with-current-buffer other
          (run-hooks 'post-command-hook)
          (test-check "other JSON files are left alone" (not (eglot-managed-p)))))

      (set-buffer block)
      (goto-char (point-min))
      (search-forward "{time")
      (let ((files (mapcar (lambda (found)
                             (file-name-nondirectory (xref-location-group (xref-item-location found))))
                           (xref-backend-references 'eglot (xref-backend-identifier-at-point 'eglot)))))
        (test-check "references in block and catalog"
                    (cl-every (lambda (name) (member name files)) '("rules.promptblock" "promptblock.catalog.json"))
                    files))
      (let ((eglot-confirm-server-initiated-edits nil))
        (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t)))
          (eglot-rename "时刻")))
      (test-check "rename in the block" (string-search "{时刻}" (buffer-string)) (buffer-string))
      (test-check "and in the catalog"
                  (with-current-buffer (find-file-noselect "promptblock.catalog.json")
                    (and (string-search "\"时刻\"" (buffer-string)) (not (string-search "\"time\"" (buffer-string))))))
      (let ((whole (buffer-string)))
        (goto-char (point-min))
        (search-forward "{if is_group}")
        (replace-match "{ if  is_group }")
        (eglot-format-buffer)
        (test-check "formatting" (equal (buffer-string) whole) (buffer-string)))

      (set-buffer block)
      (promptblock-show-assembly)
      (let ((shown (get-buffer "*promptblock assembly*")))
        (test-check "the assembled prompt in a buffer"
                    (and shown (with-current-buffer shown
                                 (string-match-p "── system" (buffer-string))))
                    (and shown (with-current-buffer shown (buffer-string)))))
      (set-buffer block)
      (let ((process (jsonrpc--process (eglot-current-server))))
        (eglot-shutdown (eglot-current-server))
        (test-check "the server ends" (not (process-live-p process))))
      (set-buffer-modified-p nil))
  (error (test-check "no error in the test" nil problem)))

(kill-emacs (if (zerop test-failed) 0 1))
;;; test.el ends here
