import { serializeError } from '../errors/serialize-error.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { Provider } from '../model/provider.ts'
import type { NormalizedOptions } from './normalized-options.ts'

/** Whether the built-in mails of a provider go through a mail server. */
function usesServer(provider: Provider): boolean {
  return provider.kind === 'email' && isSentByServer(provider) && !provider.sendVerificationRequest
}

const isSentByServer = ({ server, deliver }: EmailProvider): boolean => server !== null && deliver === null

/** Logs at startup that what sends mails is not installed: otherwise, the first user who needs a mail would find out. */
export async function logMissingMailer({
  found: { mailer, providers },
  runtime,
  logger
}: Pick<NormalizedOptions, 'found' | 'logger' | 'runtime'>): Promise<void> {
  if (!providers.some(usesServer) && !(mailer && isSentByServer(mailer))) return
  await runtime.loadMailer?.().catch((error: unknown) => logger.error('MAILER_MISSING', serializeError(error)))
}
