// SPDX-License-Identifier: Apache-2.0
// For each line a number: garbage, panics, a collection, goroutines, stacks that grow.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
)

func fib(n int) int {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

func deep(n int) int {
	if n == 0 {
		panic("odd")
	}
	return deep(n-1) + 1
}

func caught(n int) (message string) {
	defer func() { message = fmt.Sprint(recover()) }()
	deep(n * 100)
	return
}

func work(n int) {
	words := map[string][]int{}
	for i := 0; i < 2000; i++ {
		words[strconv.Itoa(i*n%777)] = make([]int, 5)
	}
	results := make(chan int)
	for i := 0; i < 8; i++ {
		go func() { results <- fib(10) }()
	}
	sum := 0
	for i := 0; i < 8; i++ {
		sum += <-results
	}
	runtime.GC()
	fmt.Println(n, fib(15), len(words), caught(n), sum)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		n, _ := strconv.Atoi(lines.Text())
		work(n)
	}
	fmt.Println("end")
	os.Exit(3)
}
