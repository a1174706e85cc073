import { formatDate } from '../format-date.ts'
import type { ListedPasskey } from './props.ts'
import type { Texts } from './texts.ts'

/** What is known of a passkey, in sentences. */
export function describePasskey({ createdAt, lastUsedAt, isBackedUp }: ListedPasskey, texts: Texts): string {
  return [
    isBackedUp ? texts.synced : texts.local,
    createdAt === null ? '' : texts.createdAt.replace('{date}', formatDate(createdAt, texts)),
    lastUsedAt === null ? '' : texts.usedAt.replace('{date}', formatDate(lastUsedAt, texts))
  ]
    .filter(Boolean)
    .join(' ')
}
