import { commonPasswords } from './common-passwords.ts'
import { keyboardRows } from './keyboard-rows.ts'

// Most lists of common passwords end where the minimum length begins, but people make long passwords of short ones: a word twice, or
// one with digits in order. A password is common if few pieces make it up, as those are what is guessed first.

/** The cost of a common password within another one; runs, repetitions and other characters cost 1. */
const wordCost = 2

/** A password of this cost is common: two words, a word and two runs, or four runs. */
const maxCommonCost = 4

const minRun = 3
const minWord = 4
const maxWord = 32
const maxPeriod = 32

const rows = keyboardRows.flatMap((row) => [row, [...row].reverse().join('')])

/** Letters that people replace. */
const replaced: ReadonlyMap<string, string> = new Map([
  ['@', 'a'],
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['$', 's'],
  ['5', 's']
])

const withLetters = (text: string): string => Array.from(text, (each) => replaced.get(each) ?? each).join('')

/** Rows are also typed in turn, as in `1q2w3e4r`: the numbers, and the letters below them. */
const maxRowsInTurn = 3

/** @returns How many characters, one in so many from a place on, follow each other in a row. */
function getRowLength(text: string, from: number, step: number): number {
  let length = 0
  for (const row of rows) {
    let run = ''
    for (let at = from; at < text.length && row.includes(run + text[at]); at += step) run += text[at]
    length = Math.max(length, run.length)
  }
  return length
}

/** @returns How many characters from a place on belong to so many rows in turn. */
function getLengthInTurn(text: string, from: number, rowCount: number): number {
  const lengths = Array.from({ length: rowCount }, (_, place) => getRowLength(text, from + place, rowCount))
  if (Math.min(...lengths) < minRun) return 1
  let length = 0
  while (Math.floor(length / rowCount) < (lengths[length % rowCount] ?? 0)) length += 1
  return length
}

/** @returns How many characters from a place on follow each other in a row, or in several rows in turn. */
function getRunLength(text: string, from: number): number {
  const counts = Array.from({ length: maxRowsInTurn }, (_, index) => index + 1)
  return Math.max(...counts.map((rowCount) => getLengthInTurn(text, from, rowCount)))
}

/** @returns How many characters from a place on repeat those before it: all of them, or the length of a word. */
function getRepeatedLength(text: string, from: number): number {
  let longest = 0
  for (let period = 1; period <= Math.min(from, maxPeriod); period += 1) {
    let length = 0
    while (from + length < text.length && text[from + length] === text[from + length - period]) length += 1
    if (length >= Math.min(period, minWord) && length > longest) longest = length
  }
  return longest
}

/** @returns The lowest cost of the pieces of a text. */
function getCost(text: string, plain: string): number {
  const costs: number[] = Array.from({ length: text.length + 1 }, (_, index) => index)
  for (let from = 0; from < text.length; from += 1) {
    const cost = costs[from] ?? from
    const reach = (length: number, more: number): void => {
      costs[from + length] = Math.min(costs[from + length] ?? Number.POSITIVE_INFINITY, cost + more)
    }
    if (cost >= maxCommonCost) continue
    for (let length = getRunLength(text, from); length > 0; length -= 1) reach(length, 1)
    for (let length = getRepeatedLength(text, from); length > 0; length -= 1) reach(length, 1)
    for (let length = minWord; length <= Math.min(maxWord, text.length - from); length += 1) {
      const end = from + length
      if (commonPasswords.has(text.slice(from, end)) || commonPasswords.has(plain.slice(from, end)))
        reach(length, wordCost)
    }
  }
  return costs[text.length] ?? text.length
}

/** Whether a password is on the list of common ones, or made of few of them, of repetitions and of characters in order. */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase().trim()
  return commonPasswords.has(text) || getCost(text, withLetters(text)) <= maxCommonCost
}
