import type { ReactElement, ReactNode } from 'react'

interface SentenceProps {
  /** A text with one placeholder in braces. */
  readonly text: string
  readonly children: ReactNode
}

/** A text whose placeholder is replaced by an element. */
export function Sentence({ text, children }: SentenceProps): ReactElement {
  const [before = '', after = ''] = text.split(/\{\w+\}/)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
