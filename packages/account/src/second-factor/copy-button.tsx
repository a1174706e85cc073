import type { ReactElement } from 'react'
import type { Texts } from './texts.ts'

interface CopyButtonProps {
  /** What is copied. */
  readonly text: string
  readonly texts: Texts
}

/** Copies a text. The script shows it, where the browser can. */
export function CopyButton({ text, texts }: CopyButtonProps): ReactElement {
  return (
    <button type="button" className="link" hidden={true} data-copy={text} data-copied={texts.copied} aria-live="polite">
      {texts.copy}
    </button>
  )
}
