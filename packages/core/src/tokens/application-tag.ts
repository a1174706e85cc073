import { chain, type MaybePromise } from '../model/awaitable.ts'
import { keyedHashes } from './hash.ts'
import type { KeyRing } from './keys.ts'

/** The length of a tag: 96 bits. */
const tagLength = 16

const tagged = /^p1\.([\w-]{16})\./

/** The tags of an application, one per secret: the first is written, all are accepted. */
export type ApplicationTags = MaybePromise<readonly string[]>

/** @param ring - The key ring for `application`. */
export function createTags(ring: KeyRing, applicationId: string): ApplicationTags {
  const shorten = (all: readonly string[]): readonly string[] => all.map((hash) => hash.slice(0, tagLength))
  return chain(keyedHashes(ring, applicationId), shorten)
}

/** @returns The token, prefixed with the tag of its application: `p1.<tag>.<token>`. */
export function addTag(token: string, [tag]: readonly string[]): string {
  return `p1.${tag}.${token}`
}

/** @returns The tag of a token; `null` for tokens of next-auth v4 and of versions before tags. */
export function getTag(token: string): string | null {
  return tagged.exec(token)?.[1] ?? null
}

/** @returns The token without its tag. */
export function removeTag(token: string): string {
  return token.replace(tagged, '')
}
