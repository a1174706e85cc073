import type { Config } from '../config/config.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { addTag, createTags, getTag } from '../tokens/application-tag.ts'
import { keyedHash, keyedHashes } from '../tokens/hash.ts'

const getTags = async ({ application, keys }: Config): Promise<readonly string[]> =>
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
  config: Config
): Promise<{ readonly linkToken: string; readonly tokenHash: string }> {
  const bound = addTag(token, await getTags(config))
  const linkToken = generateVerificationToken ? token : bound
  return { linkToken, tokenHash: await keyedHash(config.keys.emailToken, bound) }
}

/**
 * Returns the stored forms that the token of a link may have in this application, most likely first; none if the token
 * belongs to another application.
 *
 * A token without a tag is one that the application put into a link of its own.
 */
export async function hashesOfToken(token: string, config: Config): Promise<readonly string[]> {
  const { keys } = config
  const tag = getTag(token)
  const tags = await getTags(config)
  if (tag !== null && tags.includes(tag)) return keyedHashes(keys.emailToken, token)
  if (tag !== null) return []
  const bound = tags.map(async (tag, index) => (await keyedHashes(keys.emailToken, addTag(token, [tag])))[index] ?? [])
  return (await Promise.all(bound)).flat()
}
