// Generates docs/errors.md. Codes and texts come from the packages; causes and fixes are below.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const load = (file) => import(pathToFileURL(join(root, file)).href)

/** The cause of each code, and its fix. */
const causes = {
  Signin: ['The sign-in failed for a reason without a code of its own.', 'Search the log for the reference.'],
  OAuthSignin: [
    'The authorization request could not be built: the metadata of the provider is unreachable or invalid, or has no authorization endpoint.',
    'Check `issuer` or `wellKnown`, and whether the server can reach that URL. `cause` in the log contains the error.'
  ],
  OAuthCallback: [
    'The provider returned an error, or its response is invalid: the code, the ID Token or the profile.',
    '`reason=cancelled` needs no fix. Otherwise, the log line `OAUTH_CALLBACK_ERROR` names the failed check. Frequent causes are the redirect URI and the secret.'
  ],
  OAuthCreateAccount: ['The adapter failed to create the user.', 'Search the log for `adapter_error_createUser`.'],
  EmailCreateAccount: ['The adapter failed to create the user.', 'Search the log for `adapter_error_createUser`.'],
  Callback: [
    'A callback of the application failed otherwise than by a refusal, or an unexpected error occurred.',
    'Search the log for the reference.'
  ],
  OAuthAccountNotLinked: [
    'The address or the account belongs to another user.',
    'The user signs in with the first account, and then connects the second. See `allowDangerousEmailAccountLinking`.'
  ],
  EmailSignin: [
    'The address is invalid, or the mail server rejected the message or timed out.',
    '`reason=invalid` needs no fix. Otherwise, check `server` and `from`. The log contains the response of the mail server.'
  ],
  CredentialsSignin: ['`authorize` returned `null`.', 'No fix needed: the credentials are wrong.'],
  SessionRequired: ['A protected route was requested without a session.', 'No fix needed.'],
  UnmetRequirements: [
    'The ID Token does not state what `requires` of the provider, or a guard, asks for: `acr`, `amr` or a recent `auth_time`.',
    'Enable it at the provider, or offer another way to sign in. The log names the claim.'
  ],
  DifferentUser: [
    'A signed-in user had to authenticate again, and used an account of another user, or of nobody.',
    'No fix needed.'
  ],
  Configuration: [
    'The options are invalid. Registration validates them, so this is rare at run time.',
    'Read the `ConfigError` at startup.'
  ],
  AccessDenied: [
    'The `signIn` callback or the `authorized` function of a guard returned `false`, or nobody may sign up with the address (`signUp`).',
    'Check the callback. `signIn` can return a URL instead of `false` to redirect the user.'
  ],
  Verification: [
    'The link or code was used before, has expired, or belongs to another user.',
    'The user requests a new email. If all links fail, check that all instances share the store and the secret.'
  ],
  ImpersonationForbidden: [
    'An administrator who impersonates a user called a route that only the user may call, or tried to sign in.',
    'Stop the impersonation first. A route of a feature can set `impersonation`.'
  ],
  NotFound: [
    'A browser opened a path below the base path that does not exist, or one with an unknown provider. Other clients get a text, with 400 or 404.',
    'Correct the link. With `pages.error`, browsers get the text too.'
  ],
  StoreConflict: [
    'The store refused a key that another row has, or has several users whose address differs only in the case of its letters.',
    'Search the log for `STORE_CONFLICT_ERROR` and `adapter_error_<method>`. Merge the users, or correct the rows: [Addresses with capital letters](adapters.md#addresses-with-capital-letters).'
  ],
  PermissionRequired: [
    'A guard refused a signed-in user: `authorized` did not return `true`. JSON clients get `ACCESS_DENIED`.',
    'Give the user the role that the guard asks for. The page links back to the application, and to signing in with another account.'
  ],
  UserReferenced: [
    'A foreign key of the application restricts the deletion of the user. Sessions and sign-in methods of the user are unchanged.',
    'The log names the constraint and its table (`adapter_error_checkUserDeletion`). Give it `on delete cascade` or `set null`, or delete its rows first: [Deleting users](adapters.md#deleting-users).'
  ],
  UserSuspended: [
    'The user was suspended with `app.postern.users.suspend`. Shown only after the user has proven who they are.',
    'Call `app.postern.users.resume` if the user may sign in again.'
  ],
  RateLimited: [
    'A limit of `rateLimit` was exceeded.',
    'Wait for the time in `Retry-After`. Behind a proxy, set `trustProxy`.'
  ],
  SessionTooLarge: [
    'The session has claims that no browser could send back: the `jwt` callback added too much.',
    'The log (`SESSION_TOO_LARGE_ERROR`) names the largest claim. Keep it in your database ([size](sessions.md#size)).'
  ],
  StoreUnavailable: [
    'The adapter threw or timed out, or `signIn` or `authorize` timed out or could not reach its server.',
    'Search the log for `adapter_error_<method>` or `STORE_UNAVAILABLE_ERROR`. Users stay signed in.'
  ]
}

const accounts = {
  ADAPTER_INCOMPLETE: [
    'The adapter lacks a method that the call needs. The message names the method.',
    'Use an adapter that implements the method.'
  ],
  LAST_WAY_IN: ['The account is the last sign-in method of its user.', 'Let the user connect another account first.'],
  UNKNOWN_ACCOUNT: ['The user has no such account, or has several.', 'Pass `providerAccountId`.'],
  UNKNOWN_USER: ['There is no user with this id.', 'Pass the id of a stored user.'],
  FACTOR_EXISTS: [
    'The user has an authenticator app, so that none can be imported.',
    'Leave the app of the user, or call `features.factors.reset` first.'
  ],
  INVALID_USER_ID: [
    'No user can have this id, because it does not have the type of the column of the table, such as a UUID.',
    'Pass the id of a stored user.'
  ],
  INVALID_CURSOR: [
    'The cursor is not one that `users.list` returned, or its secret was removed.',
    'Start again with the first page.'
  ],
  NOT_IMPERSONATING: [
    'The session of the request is not an impersonation, or has ended.',
    'Call `stopImpersonating` only if `session.actor` is set.'
  ],
  NO_EMAIL: ['The user has no email address.', 'Store the address before you invite the user.'],
  SIGNED_OUT: ['The request has no session.', 'Protect the route with a guard.'],
  GRANT_ENDED: [
    'The provider no longer issues tokens for this account.',
    'Ask the user to sign in with the provider again.'
  ],
  REFRESH_FAILED: ['The provider failed to issue a token.', 'Retry later.']
}

const guards = {
  SESSION_REQUIRED: [401, 'The request has no session.', 'Sign in at `app.postern.signInUrl()`.'],
  INSUFFICIENT_USER_AUTHENTICATION: [
    401,
    'The user did not authenticate recently enough, or not as `amr` or `acr` require.',
    'Send the user to the `url` of the response ([guards](authentication.md#guards)).'
  ],
  AUTHENTICATION_NOT_STORED: [
    500,
    'The guard requires `amr` or `acr`, and the adapter does not store session records.',
    'Use an adapter with `putSessionRecord` and `getSessionRecords`, or JWT sessions.'
  ],
  ACCESS_DENIED: [403, '`authorized` did not return `true`.', 'Check `authorized`, if the user should have access.'],
  POSTERN_NOT_REGISTERED: [
    500,
    'Postern is not registered in the scope of the route, or `app.requireSession` is read before registration.',
    'Write `await app.register(postern, …)` in the scope of the route, and import `requireSession`.'
  ]
}

const row = (cells) => `| ${cells.join(' | ')} |`
const describeAdvice = ({ text, next }) => `${text} ${next}`

function needed(table, code) {
  const entry = table[code]
  if (!entry) throw new Error(`expected cause and fix of ${code} in scripts/docs/errors.mjs`)
  return entry
}

/** The codes of `AccountError`, as its source lists them. */
function accountCodes() {
  const text = readFileSync(join(root, 'packages/core/src/errors/account-error.ts'), 'utf8')
  return [...text.matchAll(/^ {2}([A-Z_]+): (\d{3})/gm)].map(([, code, status]) => [code, status])
}

/** The codes of configuration problems with their comments, as the source lists them. */
function problemCodes() {
  const text = readFileSync(join(root, 'packages/core/src/errors/problem-codes.ts'), 'utf8')
  return [...text.matchAll(/^ {2}\/\*\* (.+) \*\/\n {2}\| '([A-Z_]+)'$/gm)].map(([, cause, code]) => [code, cause])
}

const introduction = `# Errors

A failed sign-in redirects to a page with a code in its URL (\`?error=…\`). The page shows a message and a reference. The log
line with the cause contains the same reference (\`auth.ref\`, written by \`request.log\`). The codes are those of next-auth v4,
plus \`RateLimited\`, \`SessionTooLarge\`, \`StoreUnavailable\`, \`StoreConflict\`, \`UserReferenced\`, \`NotFound\`,
\`PermissionRequired\`, \`UserSuspended\` and \`ImpersonationForbidden\`.

- **Page**: the sign-in page or the error page. \`pages.signIn\` and \`pages.error\` receive the code in their query.
- **Status**: the status of the error page, and of responses to scripts. Browsers are redirected.

\`pnpm docs:write\` generates this page.`

const ofProblems = problemCodes().map(([code, cause]) => row([`\`${code}\``, cause]))
const ofGuards = Object.entries(guards).map(([code, cells]) => row([`\`${code}\``, ...cells]))

function ofAccounts() {
  const lines = accountCodes().map(([code, status]) => row([`\`${code}\``, status, ...needed(accounts, code)]))
  return lines.join('\n')
}

/** @returns The whole page. */
export async function errorsPage() {
  const { errorCodes } = await load('packages/core/dist/index.js')
  const { en } = await load('packages/pages/dist/index.js')
  const lines = Object.entries(errorCodes).map(([code, { screen, status }]) => {
    const [cause, fix] = needed(causes, code)
    const text = screen === 'signin' ? en.problems[code] : (en.errors[code] ?? en.errors.Configuration)
    return row([`\`${code}\``, screen === 'signin' ? 'sign-in' : 'error', status, describeAdvice(text), cause, fix])
  })
  const reasons = Object.entries(en.reasons).map(([reason, text]) => row([`\`${reason}\``, describeAdvice(text)]))
  return `${introduction}

| Code | Page | Status | Users see | Cause | Fix |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}

Other codes come from the application: \`signIn\` or \`authorize\` threw \`SignInError(code)\` or, with \`errors: 'message'\`, an
\`Error\` with [a short message](credentials.md). The built-in pages show the text of the code in \`texts\` (\`codes\`), or else the general text.

\`OAuthSignin\`, \`OAuthCallback\` and \`EmailSignin\` may have a \`reason\`.
The built-in sign-in page shows \`signed-out\` in place of \`SessionRequired\` after a sign-out.
A form without a valid CSRF token leads to its page again, with \`?csrf=true\`. The warning \`CSRF_TOKEN_INVALID\` in the log says why: the
browser refuses cookies, or opens another address than \`url\`, or the form came from another site.


| Reason | Users see |
| --- | --- |
${reasons.join('\n')}

## At registration

\`ConfigError\` (\`code: 'POSTERN_CONFIG'\`) lists every invalid option in \`problems\`. Each problem has the name of the
option, a \`code\`, and a message with the expected value, the actual value and a fix. The code stays the same when the
message is reworded. For \`UNKNOWN_OPTION\`, \`suggestion\` is the name of the option that was probably meant.

| \`code\` | Cause |
| --- | --- |
${ofProblems.join('\n')}

## From guards

Clients that do not accept HTML get these errors as JSON, in the format of Fastify’s errors. Browsers get the sign-in page or the
error page.

| \`code\` | Status | Cause | Fix |
| --- | --- | --- | --- |
${ofGuards.join('\n')}

## From API calls

\`request.getAccessToken()\`, \`app.postern.unlink()\`, \`app.postern.deleteUser()\`, \`app.postern.users\` and
\`app.postern.sessions\` throw \`AccountError\`. It has a \`statusCode\`, which Fastify uses for the response if you do not catch the error.

| \`code\` | Status | Cause | Fix |
| --- | --- | --- | --- |
${ofAccounts()}

\`request.getSession()\` and the guards throw \`AuthError\` with \`StoreUnavailable\` (503) if the store does not respond. They
never report the user as signed out.
`
}
