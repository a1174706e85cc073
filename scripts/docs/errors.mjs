// The page of every error code: the catalogue and the texts are the product's, cause and mend are said here.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const load = (file) => import(pathToFileURL(join(root, file)).href)

/** Why a code is raised, and what its reader can do about it. */
const causes = {
  Signin: ['A sign-in failed for a reason that has no code of its own.', 'Look for the reference in the log.'],
  OAuthSignin: [
    'The provider cannot be asked: its metadata does not answer or does not hold, or it has no authorization endpoint.',
    'Check `issuer` or `wellKnown`, and whether the server reaches that address. `cause` in the log says what came.'
  ],
  OAuthCallback: [
    'The provider answered with an error, or something of its answer does not hold: the code, the ID Token, the profile.',
    'With `reason=cancelled` nothing is wrong. Otherwise the log line `OAUTH_CALLBACK_ERROR` names the check; often the redirect URI or the secret.'
  ],
  OAuthCreateAccount: ['The store did not take the new user.', 'Look at `adapter_error_createUser` in the log.'],
  EmailCreateAccount: ['The store did not take the new user.', 'Look at `adapter_error_createUser` in the log.'],
  Callback: [
    'A callback of the application threw something else than an error, or something failed that nobody foresaw.',
    'The log has the cause under the reference.'
  ],
  OAuthAccountNotLinked: [
    'The address or the account belongs to another user.',
    'The visitor signs in as before and then connects the second account. See `allowDangerousEmailAccountLinking`.'
  ],
  EmailSignin: [
    'The address is none, the mail server did not take the mail, or it took longer than it may.',
    'Check `server` and `from`; the log has the answer of the mail server.'
  ],
  CredentialsSignin: [
    '`authorize` returned `null`.',
    'Nothing to mend: the visitor typed something else than you know.'
  ],
  SessionRequired: ['A guarded route was opened without a session.', 'Nothing to mend.'],
  Configuration: [
    'The options do not hold. They are checked at registration, so that visitors hardly ever meet this.',
    'Read the `ConfigError` of the start.'
  ],
  AccessDenied: [
    'The `signIn` callback returned `false`, or a guard’s `authorized` did.',
    'Look at your callback. A text in place of `false` sends the visitor there.'
  ],
  Verification: [
    'A link or a code is used up, too old, or somebody else’s.',
    'The visitor asks for a new mail. If all links fail, see whether several instances share the store and the secret.'
  ],
  RateLimited: [
    'One of the limits of `rateLimit`.',
    'Wait as long as `Retry-After` says. Behind a proxy set `trustProxy`.'
  ],
  StoreUnavailable: [
    'The adapter threw, or did not answer in time.',
    'The line `adapter_error_<method>` in the log says why. Nobody was signed out by it.'
  ]
}

const accounts = {
  ADAPTER_INCOMPLETE: [
    'The adapter lacks a method that the call needs; the message names it.',
    'Use an adapter that has it.'
  ],
  LAST_WAY_IN: ['The account is the last way in of its user.', 'Let the user connect another one first.'],
  UNKNOWN_ACCOUNT: ['The user has no such account, or has several and none was named.', 'Name `providerAccountId`.'],
  SIGNED_OUT: ['Nobody is signed in.', 'Guard the route.'],
  GRANT_ENDED: ['The provider gives no more tokens for this account.', 'Send the user to sign in there again.'],
  REFRESH_FAILED: ['The provider did not give a token this time.', 'Try again later.']
}

const guards = {
  SESSION_REQUIRED: [
    401,
    'There is no session, or an older one than `freshWithin` allows.',
    'Sign in, at `app.postern.signInUrl()`.'
  ],
  ACCESS_DENIED: [403, '`authorized` did not say `true`.', 'Nothing to mend, or look at `authorized`.']
}

const row = (cells) => `| ${cells.join(' | ')} |`
const said = ({ text, next }) => `${text} ${next}`

function needed(table, code) {
  const entry = table[code]
  if (!entry) throw new Error(`expected cause and mend of ${code} in scripts/docs/errors.mjs`)
  return entry
}

/** The codes of `AccountError`, as its source lists them. */
function accountCodes() {
  const text = readFileSync(join(root, 'packages/core/src/accounts/account-error.ts'), 'utf8')
  return [...text.matchAll(/^ {2}([A-Z_]+): (\d{3})/gm)].map(([, code, status]) => [code, status])
}

const introduction = `# Errors

A failed sign-in ends on a page with a code in its address (\`?error=…\`), a sentence for the visitor, and a reference. The
same reference is in the log line that says why (\`auth.ref\`, written by \`request.log\`). Codes are those of next-auth v4;
\`RateLimited\` and \`StoreUnavailable\` are ours besides.

*Status* is what a script gets, and the status of the error page; a browser is redirected. *Sign-in* codes are shown on the
sign-in page, the others on the error page. \`pages.signIn\` and \`pages.error\` get the code in their query.

This page is written by \`pnpm docs:write\`.`

const ofGuards = Object.entries(guards).map(([code, cells]) => row([`\`${code}\``, ...cells]))

function ofAccounts() {
  const lines = accountCodes().map(([code, status]) => row([`\`${code}\``, status, ...needed(accounts, code)]))
  return lines.join('\n')
}

/** @returns The whole page. */
export async function errorsPage() {
  const { catalogue } = await load('packages/core/dist/index.js')
  const { en } = await load('packages/pages/dist/index.js')
  const lines = Object.entries(catalogue).map(([code, { screen, status }]) => {
    const [cause, mend] = needed(causes, code)
    const text = screen === 'signin' ? en.problems[code] : en.errors[code]
    return row([`\`${code}\``, screen === 'signin' ? 'sign-in' : 'error', status, said(text), cause, mend])
  })
  const reasons = Object.entries(en.reasons).map(([reason, text]) => row([`\`${reason}\``, said(text)]))
  return `${introduction}

| Code | Page | Status | Visitors read | Cause | Mend |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

A code that is none of these came from the application: what \`signIn\` or \`authorize\` threw (\`SignInError(code)\`, or with
\`errors: 'message'\` any message). The built-in pages show what \`texts\` says of it (\`codes\`), else the general text.

Beside \`OAuthSignin\` and \`OAuthCallback\` a \`reason\` may stand:

| Reason | Visitors read |
| --- | --- |
${reasons.join('\n')}

## At registration

\`ConfigError\` (\`code: 'POSTERN_CONFIG'\`) lists every mistake of the options in \`problems\`, each with the option’s name and
a message that says what was expected, what came and how to mend it.

## From guards

As JSON, in the shape of Fastify’s errors, to whoever does not accept HTML; browsers get the sign-in page or the error page.

| \`code\` | Status | Cause | Mend |
| --- | --- | --- | --- |
${ofGuards.join('\n')}

## From calls of yours

\`AccountError\`, thrown by \`request.getAccessToken()\`, \`app.postern.unlink()\`, \`app.postern.deleteUser()\` and
\`app.postern.sessions\`. It has a \`statusCode\`, so that Fastify answers with it where you do not catch it.

| \`code\` | Status | Cause | Mend |
| --- | --- | --- | --- |
${ofAccounts()}

\`AuthError\` with \`StoreUnavailable\` (503) is thrown by \`request.getSession()\` and the guards where the store does not
answer: never “signed out”.
`
}
