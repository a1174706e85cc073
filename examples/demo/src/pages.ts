import type { Session } from '@postern/core'
import type { PosternInterface } from '@postern/fastify'
import type { FastifyReply } from 'fastify'
import type { LastProviderStore } from './last-provider.ts'
import { html, type Markup, page, pageHeaders } from './services/markup.ts'

const methodNames: Readonly<Record<string, string>> = {
  demo: 'the OpenID Provider',
  email: 'an emailed link',
  credentials: 'the form for test users',
  password: 'a password',
  'password-sign-up': 'a password',
  passkey: 'a passkey',
  'passkey-sign-up': 'a passkey'
}

/** The screens, with the paths that the application shows them at. */
const screens: readonly (readonly [name: string, path: string])[] = [
  ['Sign in', '/signin'],
  ['Sign in, with an error', '/signin?error=OAuthAccountNotLinked'],
  ['Sign out', '/signout'],
  ['Check your email', '/verify-request?provider=email&type=email'],
  ['Access denied', '/error?error=AccessDenied'],
  ['Link no longer valid', '/error?error=Verification'],
  ['Server error', '/error?error=Configuration'],
  ['Too many requests', '/error?error=RateLimited'],
  ['Any other error', '/error']
]

async function visitor(session: Session, methods: LastProviderStore, { basePath }: PosternInterface): Promise<Markup> {
  const { name, email } = session.user ?? {}
  const method = await methods.of(email)
  return html`<h1>Hello, ${name ?? email ?? 'you'}</h1>
<p>You are signed in by ${(method && methodNames[method]) ?? 'a way of your own'}.</p>
<h2>Your session</h2>
<pre>${JSON.stringify(session, null, 2)}</pre>
<p><a href="${basePath}/account">Your account</a>: devices, email address, sign-in methods and recent activity.</p>
<p><a href="${basePath}/passkeys">Add a passkey</a>, and sign in with it next time. Or <a href="${basePath}/factors">set up an authenticator app</a>, and be asked for its code
next time. Users with a verified address can.</p>
<form action="${basePath}/signout" method="get"><input type="hidden" name="callbackUrl" value="/"><button>Sign out</button></form>`
}

function stranger(signInUrl: string): Markup {
  return html`<h1>Hello, stranger</h1>
<p>Nobody is signed in. There are five ways: a real OpenID Provider, a link by email, a form for test users, a password after a
sign-up, and a passkey after you have added one; all of it runs on this machine.</p>
<p><a href="${signInUrl}">Sign in</a></p>`
}

/** The front page: the session, and links to all pages. */
export async function home(
  reply: FastifyReply,
  session: Session | null,
  methods: LastProviderStore,
  auth: PosternInterface
): Promise<FastifyReply> {
  const links = screens.map(([name, path]) => html`<li><a href="${auth.basePath}${path}">${name}</a></li>`)
  const body = html`${session ? await visitor(session, methods, auth) : stranger(auth.signInUrl())}
<h2>Look around</h2>
<ol>
<li><a href="/members">A page for members only</a></li>
<li><a href="/inbox">The inbox: every mail that is sent</a></li>
<li><a href="${auth.basePath}/session">The session as JSON</a></li>
</ol>
<h2>The built-in screens</h2>
<ol>
<li><a href="/screens">Every screen at once, in each language, light and dark</a></li>
${links}
</ol>`
  return reply.headers(pageHeaders).send(page('Postern demo', body))
}

/** A page for signed-in users only. */
export function members(reply: FastifyReply, session: Session | null): FastifyReply {
  const body = html`<h1>Members only</h1>
<p>${session?.user?.name ?? session?.user?.email ?? 'You'}, this page is for you.</p>
<p><a href="/">Back</a></p>`
  return reply.headers(pageHeaders).send(page('Members only', body))
}
