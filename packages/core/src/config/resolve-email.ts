import type { ProblemDetail } from '../errors/config-error.ts'
import { stringCallback, wrapCallback } from '../errors/user-code.ts'
import { type Captcha, findCaptchaProblems } from '../model/captcha.ts'
import type { EmailProvider } from '../model/email-provider.ts'
import { isJsonObject } from '../model/json-object.ts'
import { plainTraits } from '../model/provider-traits.ts'
import type { MailServer } from '../model/runtime.ts'
import { environmentName } from './endpoints.ts'
import { boundFunction, textOrNull } from './merge.ts'
import { checkNeeds, type ProviderContext, type ProviderDraft } from './provider-draft.ts'

/** Parses the URL or the options of a server, or one of nodemailer's transports. */
function parseMailServer(value: unknown): MailServer | null {
  if (typeof value === 'string' && value !== '') return value
  return isJsonObject(value) ? value : null
}

/** The properties that identify nodemailer's other transports, and other ways to configure a server. */
const serverProperties = ['host', 'url', 'service', 'path', 'socket', 'connection', 'getSocket', 'send', 'SES']

/**
 * @returns The problem of a mail server, or `null`. nodemailer replaces a server that it cannot parse with `localhost`.
 */
function serverProblem(server: MailServer): ProblemDetail | null {
  if (typeof server !== 'string') {
    const isMisnamed = 'hostname' in server && !serverProperties.some((name) => name in server)
    const message = 'unknown option hostname; did you mean host?'
    return isMisnamed ? { code: 'UNKNOWN_OPTION', message } : null
  }
  if (/^(smtps?|direct):\/\//i.test(server)) return null
  const expected = 'expected a URL like smtp://localhost:1025, got another string'
  const isHost = /^[\w.-]+(:\d+)?\/?$/.test(server)
  return { code: 'INVALID_URL', message: isHost ? `${expected}; write smtp:// before it` : expected }
}

/** @returns The problem of a sender, or `null`. A sender may have a name: `App <sign-in@app.example.com>`. */
function senderProblem(from: string): ProblemDetail | null {
  if (/[^\s<]@[^\s>]/.test(from)) return null
  const message =
    'expected an email address like App <sign-in@app.example.com>, got another string; write the address of the sender'
  return { code: 'INVALID_VALUE', message }
}

const apiKeyVariable = (id: string): string => `AUTH_${environmentName(id)}_KEY`

/** The transport of the built-in mail. */
interface MailTransport {
  readonly server: MailServer | null
  readonly deliver: EmailProvider['deliver']
  readonly apiKey: string | null
  readonly address: unknown
}

/** Notes what the built-in mail lacks. An application that sends mails itself is not checked. */
function checkBuiltIn(
  { server, deliver, apiKey, address }: MailTransport,
  { id, name, merged, note }: Pick<ProviderDraft, 'id' | 'name' | 'merged' | 'note'>
): void {
  if (deliver && !apiKey)
    note(
      'apiKey',
      'OPTION_MISSING',
      `expected the key of the service, got nothing; set ${apiKeyVariable(id)} or pass apiKey`
    )
  checkNeeds({ name, merged, note })
  if (!server && !deliver)
    note(
      'server',
      'OPTION_MISSING',
      'expected the URL or the options of a mail server, got nothing; set EMAIL_SERVER or pass server'
    )
  const unreachable = server && !deliver && serverProblem(server)
  if (unreachable) note('server', unreachable.code, unreachable.message)
  if (typeof address === 'string') {
    const problem = senderProblem(address)
    if (problem) note('from', problem.code, problem.message)
  } else note('from', 'OPTION_MISSING', 'expected an email address, got nothing; set EMAIL_FROM or pass from')
}

/** Reads the option `captcha`, whose shape was checked. */
function resolveCaptcha(
  { id, merged, note }: Pick<ProviderDraft, 'id' | 'merged' | 'note'>,
  callbackTimeout: number
): Captcha | null {
  const given = merged['captcha']
  if (!isJsonObject(given)) return null
  const { script, attributes } = given
  const verify = boundFunction<Captcha['verify']>(given['verify'], given)
  if (!verify || typeof script !== 'string' || !isJsonObject(attributes)) return null
  const texts = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]))
  const captcha = {
    script,
    attributes: texts,
    verify: wrapCallback(`providers.${id}.captcha`, verify, callbackTimeout)
  }
  for (const problem of findCaptchaProblems(captcha)) note('captcha', 'INVALID_VALUE', problem)
  return captcha
}

/**
 * Resolves the option `signUp` of a provider, which is a boolean or a function of the address.
 *
 * @param callee - The name of the option, for the log.
 * @returns `null` if any address may sign up. A function that returns anything but `true` refuses the address.
 */
function createMaySignUp(
  callee: string,
  signUp: unknown,
  callbackTimeout: number
): EmailProvider['traits']['maySignUp'] {
  if (signUp === false) return async () => false
  if (typeof signUp !== 'function') return null
  const ask = wrapCallback(callee, async (email: string): Promise<unknown> => signUp(email), callbackTimeout)
  return async (email) => (await ask(email)) === true
}

/** Resolves an email provider: how it sends links, and how the links are used. */
export function resolveEmail({ id, name, merged, note }: ProviderDraft, surroundings: ProviderContext): EmailProvider {
  const { environment, hasVerifyRequestPage, verificationMaxAge, callbackTimeout, mailTimeout } = surroundings
  const { from, maxAge, confirm, code } = merged
  const server = parseMailServer(merged['server'] ?? environment['EMAIL_SERVER'])
  const sender = boundFunction<NonNullable<EmailProvider['sendVerificationRequest']>>(
    merged['sendVerificationRequest'],
    merged
  )
  const sendVerificationRequest = sender && wrapCallback(`providers.${id}.sendVerificationRequest`, sender, mailTimeout)
  const generate = boundFunction<() => unknown>(merged['generateVerificationToken'], merged)
  const address = from ?? environment['EMAIL_FROM']
  const deliver = boundFunction<NonNullable<EmailProvider['deliver']>>(merged['deliver'], merged)
  const apiKey = textOrNull(merged['apiKey'] ?? environment[apiKeyVariable(id)])
  if (!sendVerificationRequest) checkBuiltIn({ server, deliver, apiKey, address }, { id, name, merged, note })
  if (typeof maxAge === 'number' && maxAge > 86_400)
    note('maxAge', 'OUT_OF_RANGE', `expected at most 86400 seconds, got ${maxAge}`)
  return {
    kind: 'email',
    traits: {
      ...plainTraits,
      accountPolicy: 'mailbox',
      provesMailbox: true,
      admitsMailboxOwner: true,
      callbackMethods: ['GET', 'POST'],
      form: { type: 'email' },
      maySignUp: createMaySignUp(`providers.${id}.signUp`, merged['signUp'], callbackTimeout)
    },
    type: 'email',
    id,
    name,
    server,
    from: typeof address === 'string' ? address : '',
    maxAge: typeof maxAge === 'number' ? maxAge : verificationMaxAge,
    confirm: confirm === 'always' || confirm === 'never' ? confirm : 'auto',
    code: code === true || code === false || code === 'only' ? code : !hasVerifyRequestPage && !sendVerificationRequest,
    sendVerificationRequest,
    generateVerificationToken:
      generate && stringCallback(`providers.${id}.generateVerificationToken`, generate, callbackTimeout),
    normalizeIdentifier: boundFunction(merged['normalizeIdentifier'], merged),
    captcha: resolveCaptcha({ id, merged, note }, callbackTimeout),
    deliver,
    apiKey: apiKey ?? '',
    // Senders of Auth.js read the key from their provider.
    given: apiKey ? { ...merged, apiKey } : merged
  }
}
