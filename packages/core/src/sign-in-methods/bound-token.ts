import type { Config } from '../config/config.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { isAcceptedBy } from '../tokens/application.ts'
import { addTag, createTags, getTag } from '../tokens/application-tag.ts'
import { keyedHash, keyedHashes } from '../tokens/hash.ts'

/** What the tokens of mailed links are bound with. */
export type BoundTokenDeps = Pick<Config, 'application' | 'keys'>

const getTags = async ({ application, keys }: BoundTokenDeps): Promise<readonly string[]> =>
  createTags(keys.emailToken, application.id)

/**
 * Binds a token to the application by its stored hash.
 *
 * @returns The token of the link, and the hash. A token that the application generates is unchanged in the link, because the
 * application may read it there, as with next-auth.
 */
export async function bindToken(
  token: string,
  { generateVerificationToken }: Pick<EmailProvider, 'generateVerificationToken'>,
  deps: BoundTokenDeps
): Promise<{ readonly linkToken: string; readonly tokenHash: string }> {
  const bound = addTag(token, await getTags(deps))
  const linkToken = generateVerificationToken ? token : bound
  return { linkToken, tokenHash: await keyedHash(deps.keys.emailToken, bound) }
}

/**
 * Returns the stored forms that the token of a link may have in this application, most likely first; none if the token
 * belongs to another application.
 *
 * A token without a tag is one of an earlier version, or one that the application put into a link of its own.
 */
export async function hashesOfToken(token: string, deps: BoundTokenDeps): Promise<readonly string[]> {
  const { application, keys } = deps
  const tag = getTag(token)
  const tags = await getTags(deps)
  if (tag !== null && tags.includes(tag)) return keyedHashes(keys.emailToken, token)
  if (tag !== null) return []
  const unbound = isAcceptedBy(application, null) ? await keyedHashes(keys.emailToken, token) : []
  const bound = tags.map(async (tag, index) => (await keyedHashes(keys.emailToken, addTag(token, [tag])))[index] ?? [])
  return [...unbound, ...(await Promise.all(bound)).flat()]
}
