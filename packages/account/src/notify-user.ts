import type { FeatureContext, MailValues, RequestInfo, User } from '@postern/core/feature'

/** What a mail is about. */
interface MailFacts {
  /** @defaultValue now */
  readonly time?: Date
  /** Whose account it is about; the receiver may be an earlier address. */
  readonly user: User
  readonly request: RequestInfo | null
  /** Below the base path: where the user checks the change. @defaultValue no button */
  readonly path?: string
  readonly values?: MailValues
}

/** Sends a mail about a change to the user, in the background, if there is a verified address and a mail server. */
export function notifyUser(
  mail: string,
  { email, emailVerified }: Pick<User, 'email' | 'emailVerified'>,
  { time, user, request, path, values = {} }: MailFacts,
  context: FeatureContext
): void {
  if (!context.canSendMail || !email || !emailVerified) return
  const origin = context.origin ?? request?.origin ?? null
  // Without a request, the mail of an application with several origins has none to come from.
  if (origin === null) return
  const button = path === undefined ? {} : { url: origin + context.basePath + path }
  const facts = { time: time ?? new Date(context.now()), client: request?.client ?? '–', ...button, ...values }
  context.notify(email, mail, facts, { user, ...(request && { request }) })
}
