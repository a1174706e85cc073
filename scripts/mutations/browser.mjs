/** Rules about what browsers send and show: redirects, forms, cookies, pages, hosts and guards. */
export const browserMutations = [
  {
    rule: 'redirect-1',
    breaks: 'a callback URL may lead to another origin',
    file: 'core/src/redirects/callback-url.ts',
    find: 'return target.origin === origin ? toText(target) : origin',
    replace: 'return toText(target)'
  },
  {
    rule: 'redirect-1',
    breaks: 'a callback URL is compared as a text',
    file: 'core/src/redirects/callback-url.ts',
    find: 'return target.origin === origin ? toText(target) : origin',
    replace: 'return target.href.startsWith(origin) ? toText(target) : origin'
  },
  {
    rule: 'redirect-1',
    breaks: 'a stored callback URL is not checked again',
    file: 'core/src/redirects/callback-url.ts',
    find: 'return chain(requested ? this.toSafeUrl(requested) : home,',
    replace: 'return chain(requested ? (requested === remembered ? requested : this.toSafeUrl(requested)) : home,'
  },
  {
    rule: 'csrf-1',
    breaks: 'a form needs no token',
    file: 'core/src/csrf/own-form.ts',
    find: 'if (given === null) return false',
    replace: 'if (given === null) return true'
  },
  {
    rule: 'csrf-1',
    breaks: 'a token and a cookie that Postern did not make are accepted',
    file: 'core/src/csrf/csrf-token.ts',
    find: 'if (!equalInConstantTime(expected, hash)) return compare(index + 1)',
    replace: 'if (hash === secret) return compare(index + 1)'
  },
  {
    rule: 'csrf-1',
    breaks: 'a form may come from another site',
    file: 'core/src/csrf/own-form.ts',
    find: "if (site !== null) return site === 'same-origin' || site === 'none' || (origin !== null && listed.includes(origin))",
    replace: 'if (site !== null) return true'
  },
  {
    rule: 'csrf-1',
    breaks: 'a form may come from another origin',
    file: 'core/src/csrf/own-form.ts',
    find: 'return origin === null || allowed.includes(origin)',
    replace: 'return true'
  },
  {
    rule: 'csrf-1',
    breaks: 'GET signs out',
    file: 'core/src/actions/routes.ts',
    find: "{ method: 'GET', action: 'signout', run: 'showSignOut' }",
    replace: "{ method: 'GET', action: 'signout', run: 'signOut' }"
  },
  {
    rule: 'cookie-1',
    breaks: 'scripts read the cookies',
    file: 'core/src/cookies/names.ts',
    find: "{ httpOnly: true, sameSite: 'lax', path: '/', secure }",
    replace: "{ httpOnly: false, sameSite: 'lax', path: '/', secure }"
  },
  {
    rule: 'cookie-1',
    breaks: 'other sites send the cookies',
    file: 'core/src/cookies/names.ts',
    find: "{ httpOnly: true, sameSite: 'lax', path: '/', secure }",
    replace: "{ httpOnly: true, sameSite: 'none', path: '/', secure }"
  },
  {
    rule: 'cookie-1',
    breaks: 'the cookies have no prefix on HTTPS',
    file: 'core/src/cookies/names.ts',
    find: "const prefix = secure ? '__Secure-' : ''\n  const setting",
    replace: "const prefix = ''\n  const setting"
  },
  {
    rule: 'cookie-1',
    breaks: 'a database session of the browser survives the next sign-in',
    file: 'core/src/sessions/database-sessions.ts',
    find: '    if (before?.handle) await deleteFound(before.handle, store, continues !== null)\n',
    replace: ''
  },
  {
    rule: 'cookie-1',
    breaks: 'a JWT session of the browser survives the next sign-in',
    file: 'core/src/sessions/jwt-sessions.ts',
    find: '    if (ended) await this.#endBefore(ended, newSession.store)\n',
    replace: ''
  },
  {
    rule: 'cookie-1',
    breaks: 'the session that makes a change gets no new token',
    file: 'core/src/sessions/user-versions.ts',
    find: '    const issued = acting && (await acting.reissue(store, advance.version))\n',
    replace: '    const issued = null\n'
  },
  {
    rule: 'cookie-1',
    breaks: 'the earlier token of a JWT session stays valid after a change',
    file: 'core/src/sessions/jwt-sessions.ts',
    find: '    await registry.rename(token, name, { store, expires: { before, session: expires } })\n',
    replace: ''
  },
  {
    rule: 'cookie-2',
    breaks: 'the CSRF cookie can come from a subdomain',
    file: 'core/src/cookies/names.ts',
    find: `\`\${secure ? '__Host-' : ''}next-auth.csrf-token\``,
    replace: `\`\${prefix}next-auth.csrf-token\``
  },
  {
    rule: 'cookie-2',
    breaks: 'the cookie of a sign-up can come from a subdomain',
    file: 'account/src/mail/mailed-sign-up.ts',
    find: "context.cookie('sign-up', { maxAge: kind.lifetime, hasHostPrefix: true })",
    replace: "context.cookie('sign-up', { maxAge: kind.lifetime })"
  },
  {
    rule: 'guard-1',
    breaks: 'a guard lets everybody pass in a scope without a registration',
    file: 'fastify/src/guards.ts',
    find: 'if (!registered) throw new NotRegisteredError(missing)',
    replace: 'if (!registered) return undefined'
  },
  {
    rule: 'guard-1',
    breaks: 'a guard that is read too early is undefined',
    file: 'fastify/src/reject-early-use.ts',
    find: 'if (key === decorator && !(key in target)) throw new NotRegisteredError(message)',
    replace: ''
  },
  {
    rule: 'guard-1',
    breaks: 'a guard after the handler is accepted in addHook',
    file: 'fastify/src/guard-hooks.ts',
    find: "if (late && typeof hook === 'function' && guards.has(hook)) throw lateError(late)",
    replace: ''
  },
  {
    rule: 'guard-1',
    breaks: 'a guard that was added as a late hook before the registration is accepted',
    file: 'fastify/src/guard-hooks.ts',
    find: '    if (isLate) throw lateError(hook)\n',
    replace: ''
  },
  {
    rule: 'origin-1',
    breaks: 'any host is one of a list',
    file: 'core/src/config/origins.ts',
    find: "if (sites.kind === 'any') return origin",
    replace: "if (sites.kind !== 'loopback') return origin"
  },
  {
    rule: 'origin-1',
    breaks: 'production starts without an address',
    file: 'core/src/config/origins.ts',
    find: "problems: [{ option: 'url', code: 'URL_MISSING', message }]",
    replace: 'warnings: [message]'
  },
  {
    rule: 'origin-1',
    breaks: 'production responds to HTTP requests',
    file: 'core/src/config/origins.ts',
    find: 'return origin !== null && requiresHttps(sites) && isPlain(origin) ? null : origin',
    replace: 'return origin'
  },
  {
    rule: 'origin-1',
    breaks: 'production starts with trustHost although the server cannot see HTTPS',
    file: 'fastify/src/check-protocol.ts',
    find: 'return !seesHttps(app) && readsProtocol(options, process.env)',
    replace: 'return !seesHttps(app) && options.trustHost === null'
  },
  {
    rule: 'page-1',
    breaks: 'pages may be framed by policy',
    file: 'core/src/http/content-security-policy.ts',
    find: "base-uri 'none'; frame-ancestors 'none'`",
    replace: "base-uri 'none'`"
  },
  {
    rule: 'page-1',
    breaks: 'pages may be framed by old browsers',
    file: 'core/src/http/response-headers.ts',
    find: "    'x-frame-options': 'DENY',\n",
    replace: ''
  },
  {
    rule: 'page-1',
    breaks: 'inline scripts run',
    file: 'core/src/http/content-security-policy.ts',
    find: `isScripted ? \`script-src \${toSource('/assets/')}; \${requests}\` : ''`,
    replace: `\`script-src 'unsafe-inline' \${toSource('/assets/')}; \${requests}\``
  },
  {
    rule: 'page-1',
    breaks: 'texts of a page are not escaped',
    file: 'pages/src/placeholders.ts',
    find: "return text.replace(/[&<>\"']/g, (character) => entities[character] ?? '')",
    replace: 'return text'
  },
  {
    rule: 'page-2',
    breaks: 'characters that change the direction of the text stay',
    file: 'core/src/model/display-text.ts',
    find: "    .replaceAll(invisible, (_, kept: string | undefined) => kept ?? '')\n",
    replace: ''
  },
  {
    rule: 'page-2',
    breaks: 'a name may have several lines',
    file: 'core/src/model/display-text.ts',
    find: ".replaceAll(blank, ' ')\n",
    replace: '\n'
  },
  {
    rule: 'page-2',
    breaks: 'a name without anything visible is one',
    file: 'core/src/model/display-text.ts',
    find: 'return visible.test(short) ? short : null',
    replace: "return short === '' ? null : short"
  },
  {
    rule: 'log-1',
    breaks: 'values stay in errors of drivers',
    file: 'core/src/adapter/invoke.ts',
    find: 'const cause = redacted(error, textsIn(args))',
    replace: 'const cause = error'
  },
  {
    rule: 'log-1',
    breaks: 'passwords stay in errors of authorize',
    file: 'core/src/hooks/authorize-sign-in.ts',
    find: 'const cause = redacted(thrown, secrets)',
    replace: 'const cause = thrown'
  },
  {
    rule: 'log-1',
    breaks: 'the response of a token endpoint is logged with the secrets of the request',
    file: 'core/src/oauth/token-request.ts',
    find: "[provider.clientSecret, response.get('code'), checks.codeVerifier]",
    replace: '[]'
  },
  {
    rule: 'outage-1',
    breaks: 'a store that cannot be read means no session',
    file: 'core/src/sessions/database-session-reader.ts',
    find: 'const row = await store.getSessionAndUser(sessionToken)\n        // A store',
    replace: 'const row = await store.getSessionAndUser(sessionToken).catch(() => null)\n        // A store'
  },
  {
    rule: 'outage-1',
    breaks: 'a refused connection is no outage',
    file: 'core/src/errors/transient-errors.ts',
    find: "'E(CONN|HOST|NET|PIPE|TIMEDOUT|NOTFOUND|AI_AGAIN)\\\\w*',",
    replace: ''
  }
]
