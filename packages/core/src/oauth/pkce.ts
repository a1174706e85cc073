import { sha256 } from '../tokens/hash.ts'
import { base64Url } from '../tokens/random.ts'

/** The challenge of a code verifier: its SHA-256 in base64url (RFC 7636 §4.2). */
export async function codeChallenge(verifier: string): Promise<string> {
  const hex = await sha256(verifier)
  return base64Url(
    Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
  )
}
