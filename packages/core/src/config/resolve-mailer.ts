import type { Problem } from '../errors/config-error.ts'
import { serializeError } from '../errors/serialize-error.ts'
import type { RegisteredFeature } from '../features/registered-feature.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { Logger } from '../model/logger.ts'
import type { Provider } from '../model/provider.ts'
import type { Runtime } from '../model/runtime.ts'
import type { PosternOptions } from './options.ts'
import type { ProviderContext } from './provider-draft.ts'
import { resolveProvider } from './resolve-provider.ts'

/** The server or the service that sends the mails of features. */
export interface ResolvedMailer {
  readonly mailer: EmailProvider | null
  readonly problems: readonly Problem[]
}

/** Whether the provider can send any mail; one with `sendVerificationRequest` alone sends sign-in mails only. */
function isMailer(provider: Provider): provider is Provider<'email'> {
  return provider.kind === 'email' && (provider.server !== null || provider.deliver !== null) && provider.from !== ''
}

type MailerOptions = Pick<PosternOptions, 'linking' | 'mailer'>

/** What needs a mail server, in addition to the sign-in by email. */
function findSender({ linking }: MailerOptions, features: readonly RegisteredFeature[]): string | null {
  if (linking?.concealUsers) return 'linking.concealUsers'
  const sender = features.find(({ parts }) => (parts.mails ?? []).some(({ isOptional = false }) => !isOptional))
  return sender ? `features.${sender.id}` : null
}

const missing = (option: string, message: string): Problem => ({ option, code: 'OPTION_MISSING', message })

const withoutEmail =
  'expected a provider for email, by which new users with an unverified address sign up; add email() to providers'

const signInMailsOnly: Problem = {
  option: 'mailer.sendVerificationRequest',
  code: 'INVALID_VALUE',
  message:
    'expected a sender of every mail, got one that receives sign-in links only; pass deliver, which receives each mail, or server'
}

/** Resolves the option `mailer`; by default, the first provider for email that has a server or a service. */
export function resolveMailer(
  options: MailerOptions,
  { providers, features }: { readonly providers: readonly Provider[]; readonly features: readonly RegisteredFeature[] },
  surroundings: ProviderContext
): ResolvedMailer {
  const own = options.mailer === undefined ? null : resolveProvider(options.mailer, 0, surroundings)
  const mailer = (own?.providers ?? providers).find(isMailer) ?? null
  const sender = findSender(options, features)
  const problems = (own?.problems ?? []).map((problem) => ({
    ...problem,
    option: problem.option.replace(/^providers(\.[^.]+|\[0\])/, 'mailer')
  }))
  if (problems.length > 0) return { mailer, problems }
  if (own?.providers.some((provider) => provider.kind === 'email' && provider.sendVerificationRequest))
    return { mailer, problems: [signInMailsOnly] }
  if (options.linking?.concealUsers && !providers.some(({ traits }) => traits.provesMailbox))
    return { mailer, problems: [missing('linking.concealUsers', withoutEmail)] }
  if (mailer || !sender) return { mailer, problems: [] }
  const message = `expected a mail server, which ${sender} needs, got none; pass mailer: email({ server, from }), or add email() to providers`
  return { mailer: null, problems: [missing('mailer', message)] }
}

/** Whether the built-in mails of a provider go through a mail server. */
function usesServer(provider: Provider): boolean {
  return provider.kind === 'email' && isSentByServer(provider) && !provider.sendVerificationRequest
}

const isSentByServer = ({ server, deliver }: EmailProvider): boolean => server !== null && deliver === null

/** Logs at startup that what sends mails is not installed: otherwise, the first user who needs a mail would find out. */
export async function logMissingMailer(
  { mailer, providers }: Pick<ResolvedMailer, 'mailer'> & { readonly providers: readonly Provider[] },
  runtime: Runtime,
  logger: Logger
): Promise<void> {
  if (!providers.some(usesServer) && !(mailer && isSentByServer(mailer))) return
  await runtime.loadMailer?.().catch((error: unknown) => logger.error('MAILER_MISSING', serializeError(error)))
}
