import type { Postern } from '@postern/core'
import type { FastifyBaseLogger } from 'fastify'

const advice = "set style: { logo: '/logo.svg' }, a path on this site or a data: image"

/** Logs each provider whose button on the built-in sign-in page shows a letter, because there is no logo. */
export async function logMissingLogos(auth: Postern, log: FastifyBaseLogger): Promise<void> {
  const providers = [...(auth.configFor('')?.providers.values() ?? [])]
  const ids = providers.flatMap((one) => (one.kind === 'oauth' && !one.style?.logo ? [one.id] : []))
  if (ids.length === 0) return
  const { hasLogo } = await import('@postern/pages/logos')
  for (const provider of ids) {
    if (hasLogo(provider)) continue
    log.info({ provider }, `${provider}: there is no built-in logo, so its button shows a letter; ${advice}`)
  }
}
