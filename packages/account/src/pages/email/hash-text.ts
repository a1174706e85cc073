import { hash } from 'node:crypto'

/** SHA-256 in base64url: the id of a ticket that must be found after the secret was changed. */
export function hashText(text: string): string {
  return hash('sha256', text, 'base64url')
}
