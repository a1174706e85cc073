import type { Problem } from '../errors/config-error.ts'
import type { RegisteredFeature } from '../features/registry.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import type { Provider } from '../model/provider.ts'
import type { EmailConfig } from '../model/provider-config.ts'
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

/** Resolves the option `mailer`; by default, the first provider for email that has a server or a service. */
export function resolveMailer(
  given: EmailConfig | undefined,
  { providers, features }: { readonly providers: readonly Provider[]; readonly features: readonly RegisteredFeature[] },
  surroundings: ProviderContext
): ResolvedMailer {
  const own = given === undefined ? null : resolveProvider(given, 0, surroundings)
  const mailer = (own?.providers ?? providers).find(isMailer) ?? null
  const sender = features.find(({ parts }) => (parts.mails ?? []).length > 0)
  const problems = (own?.problems ?? []).map((problem) => ({
    ...problem,
    option: problem.option.replace(/^providers(\.[^.]+|\[0\])/, 'mailer')
  }))
  if (mailer || !sender || problems.length > 0) return { mailer, problems }
  const message = `expected a mail server, which features.${sender.id} needs, got none; pass mailer: email({ server, from }), or add email() to providers`
  return { mailer: null, problems: [{ option: 'mailer', code: 'OPTION_MISSING', message }] }
}
