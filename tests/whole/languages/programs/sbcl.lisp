;; SPDX-License-Identifier: Apache-2.0
;; For each line a number: garbage, conditions, a collection.
(defun fib (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2)))))
(defun deep (n) (if (= n 0) (error "odd") (+ 1 (deep (- n 1)))))

(defun work (n)
  (let ((words (make-hash-table :test 'equal))
        (caught (handler-case (deep n) (error (e) (format nil "~a" e)))))
    (dotimes (i 2000)
      (setf (gethash (format nil "~d" (mod (* i n) 777)) words) (list i i i)))
    (sb-ext:gc :full t)
    (format t "~d: ~d ~d ~a~%" n (fib 15) (hash-table-count words) caught)
    (finish-output)))

(loop for line = (read-line *standard-input* nil)
      while line do (work (parse-integer line)))
(format t "end~%")
(finish-output)
(sb-ext:exit :code 3)
