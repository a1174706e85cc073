import type { Metadata } from './metadata.ts'

/** @returns Why a sign-in with a provider that publishes this metadata cannot succeed; `null` if nothing is known. */
export function findUnsupported(id: string, metadata: Metadata): string | null {
  // The server would refuse the request (RFC 9126 §5), and say so only after the user has come back.
  if (metadata['require_pushed_authorization_requests'] !== true) return null
  return `${id}: the provider requires pushed authorization requests (RFC 9126), which Postern does not support; turn off require_pushed_authorization_requests there`
}
