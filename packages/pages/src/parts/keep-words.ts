import { createElement, type ReactNode } from 'react'

/** A word with a part that is too short for a line of its own: `sign-in`, `e-mail`. */
const shortPart = /^\p{L}{1,4}-|-\p{L}{1,4}$/u

/** A longer word may need its hyphen in a narrow window. */
const maxLength = 16

const isKept = (word: string): boolean => word.length <= maxLength && shortPart.test(word)

/** Keeps short words with a hyphen on one line: browsers break after each hyphen. The text stays as it is. */
export function keepWords(text: string): ReactNode {
  const words = text.split(/(\s+)/)
  if (!words.some(isKept)) return text
  const parts = words.map((word) => (isKept(word) ? createElement('span', { className: 'word' }, word) : word))
  return createElement('span', null, ...parts)
}
