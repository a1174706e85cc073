import { Notice } from '@postern/pages'
import type { ReactElement } from 'react'
import type { FactorsProps } from './props.ts'
import type { ScreenProps } from './texts.ts'

type FactorsNoticeProps = Pick<ScreenProps<FactorsProps>, 'props' | 'texts' | 'context'>

/** Explains why a change was refused, and leads to what helps. */
export function FactorsNotice({ props, texts, context }: FactorsNoticeProps): ReactElement | null {
  const { problem, recoveryCodes, addressUrl } = props
  const { support } = context.theme.links
  if (problem === null) return null
  const isExhausted = problem === 'exhausted'
  const needsHelp = isExhausted && !recoveryCodes
  const next = needsHelp ? texts.challengeNone : isExhausted ? texts.challengeRecovery : ''
  const contact = needsHelp && support !== '' ? { href: support, label: texts.support } : null
  const link = addressUrl === null ? contact : { href: addressUrl, label: texts.confirmAddress }
  // The page says it before anything is tried.
  const tone = problem === 'unverified' ? 'calm' : 'problem'
  return <Notice tone={tone} explanation={{ text: texts[problem], next }} link={link} />
}
