import { sha256 } from '../tokens/hash.ts'

/** The challenge of a code verifier: its SHA-256 in base64url (RFC 7636 §4.2). */
export async function codeChallenge(verifier: string): Promise<string> {
  const pairs = (await sha256(verifier)).match(/../g) ?? []
  const text = btoa(String.fromCharCode(...pairs.map((pair) => Number.parseInt(pair, 16))))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
