import { formatDate } from '../format-date.ts'
import type { FactorsProps } from './props.ts'
import type { Texts } from './texts.ts'

/** What is known of the app, in sentences. */
export function describeApp({ totp }: FactorsProps, texts: Texts): string {
  if (totp === null) return texts.noApp
  const { createdAt, lastUsedAt } = totp
  const added = texts.appAdded.replace('{date}', formatDate(createdAt, texts))
  return lastUsedAt === null ? added : `${added} ${texts.appUsed.replace('{date}', formatDate(lastUsedAt, texts))}`
}

/** How many recovery codes are left, in a sentence. */
export function describeCodes({ recoveryCodes }: FactorsProps, texts: Texts): string {
  if (recoveryCodes === null) return texts.noCodes
  return recoveryCodes === 0 ? texts.codesMissing : texts.codesLeft.replace('{left}', String(recoveryCodes))
}

/** Advice for who has few recovery codes; `null` if {@link describeCodes} says all. */
export function getCodesAdvice({ areFew, recoveryCodes }: FactorsProps, texts: Texts): string | null {
  return areFew && recoveryCodes !== 0 ? texts.codesFew : null
}

/** What the removal of the app takes from the user, in a sentence. */
export function describeRemoval({ recoveryCodes }: Pick<FactorsProps, 'recoveryCodes'>, texts: Texts): string {
  return recoveryCodes ? texts.removeText : texts.removeAlone
}
