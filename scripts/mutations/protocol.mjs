/** Rules about identity providers and what they send. */
export const protocolMutations = [
  {
    rule: 'prove-1',
    breaks: 'any provider proves the addresses that it states as verified',
    file: 'core/src/oauth/profile.ts',
    find: 'return isStated(stated, raw, email) && (await hooks.isEmailAuthority?.(raw)) === true',
    replace: 'return isStated(stated, raw, email) && (await hooks.isEmailAuthority?.(raw)) !== false'
  },
  {
    rule: 'prove-1',
    breaks: 'a list of domains trusts the provider for every address',
    file: 'core/src/oauth/profile.ts',
    find: "verifiesEmail.includes(email.slice(email.indexOf('@') + 1))",
    replace: 'verifiesEmail.some((domain) => domain !== email)'
  },
  {
    rule: 'prove-1',
    breaks: 'an address that a trusted provider states as unverified is proven',
    file: 'core/src/oauth/profile.ts',
    find: "return statement === null || statement === true || statement === 'true' || statement instanceof Date",
    replace: 'return statement !== undefined'
  },
  {
    rule: 'prove-2',
    breaks: 'a user whose address nobody has proven adds a second factor',
    file: 'account/src/signed-in-user.ts',
    find: '  !email || Boolean(emailVerified)\n',
    replace: '  !email || emailVerified !== undefined\n'
  },
  {
    rule: 'oauth-1',
    breaks: 'a response is accepted for any pending sign-in of the browser',
    file: 'core/src/oauth/authorization-state-per-tab.ts',
    find: 'entries.find(({ id, app }) => id === state && app === this.#applicationId)',
    replace: 'entries.find(({ app }) => app === this.#applicationId)'
  },
  {
    rule: 'oauth-1',
    breaks: 'the state stays after the first response',
    file: 'core/src/oauth/authorization-state-per-tab.ts',
    find: 'entries.filter(({ id }) => id !== state)',
    replace: 'entries'
  },
  {
    rule: 'oauth-1',
    breaks: 'PKCE is not requested',
    file: 'core/src/sign-in-methods/oauth.ts',
    find: 'codeChallenge: attempt.codeVerifier && (await codeChallenge(attempt.codeVerifier))',
    replace: 'codeChallenge: null'
  },
  {
    rule: 'oauth-1',
    breaks: 'the nonce of a sign-in is always the same',
    file: 'core/src/sign-in-methods/oauth.ts',
    find: 'nonce: provider.nonce ? random() : null',
    replace: "nonce: provider.nonce ? 'n'.repeat(43) : null"
  },
  {
    rule: 'oauth-1',
    breaks: 'the issuer of a response is ignored (RFC 9207)',
    file: 'core/src/oauth/authorization-response.ts',
    find: "if (parameters.has('iss') && metadata.issuer === unknownIssuer) {",
    replace:
      "if (parameters.has('iss')) {\n    metadata = { ...metadata, authorization_response_iss_parameter_supported: false }"
  },
  {
    rule: 'oauth-1',
    breaks: 'a sign-in may be completed at another provider and redirect URI',
    file: 'core/src/sign-in-methods/oauth.ts',
    find: '  checkBinding(attempt, provider, metadata, config)\n',
    replace: ''
  },
  {
    rule: 'oauth-1',
    breaks: 'the state cookie is not encrypted',
    file: 'core/src/oauth/authorization-state-per-tab.ts',
    find: 'encryptText(ring, JSON.stringify(entries))',
    replace: 'JSON.stringify(entries)'
  },
  {
    rule: 'oauth-2',
    breaks: 'a parameter of the query replaces a configured one',
    file: 'core/src/oauth/authorization-url.ts',
    find: 'else if (!parameters.has(name)) parameters.set(name, value)',
    replace: 'else parameters.set(name, value)'
  },
  {
    rule: 'oauth-2',
    breaks: 'every parameter of the query is added',
    file: 'core/src/oauth/authorization-url.ts',
    find: 'for (const name of allowed) {',
    replace: 'for (const name of [...allowed, ...Object.keys(query)]) {'
  },
  {
    rule: 'oauth-2',
    breaks: 'the query replaces what protects the request',
    file: 'core/src/oauth/authorization-url.ts',
    find: '  addFromQuery(url.searchParams, query, allowedAuthorizationParams)\n  for (const [name, value] of Object.entries(protection)) url.searchParams.set(name, value)\n',
    replace:
      '  for (const [name, value] of Object.entries({ ...protection, ...configured })) url.searchParams.set(name, value)\n  addFromQuery(url.searchParams, query, allowedAuthorizationParams)\n'
  },
  {
    rule: 'oauth-3',
    breaks: 'the signature of an ID Token is not verified',
    file: 'core/src/oauth/token-request.ts',
    find: '  await verifySignature(id_token, { provider, metadata }, oauthContext)\n',
    replace: ''
  },
  {
    rule: 'oauth-3',
    breaks: 'the nonce of an ID Token is not compared',
    file: 'core/src/oauth/token-request.ts',
    find: '{ expectedNonce: checks.nonce }',
    replace: "{ expectedNonce: String(decodeJws(String(raw['id_token']))?.claims['nonce']) }"
  },
  {
    rule: 'oauth-3',
    breaks: 'an ID Token for another party is accepted (azp)',
    file: 'core/src/oauth/id-token.ts',
    find: 'if (claims.azp !== undefined && claims.azp !== clientId)',
    replace: 'if (claims.azp === null)'
  },
  {
    rule: 'oauth-3',
    breaks: 'an ID Token of last week is accepted',
    file: 'core/src/oauth/id-token.ts',
    find: 'const maxIdTokenAge = 24 * 60 * 60',
    replace: 'const maxIdTokenAge = 365 * 24 * 60 * 60'
  },
  {
    rule: 'oauth-3',
    breaks: 'the clock tolerance is an hour',
    file: 'core/src/config/defaults.ts',
    find: 'clockTolerance: 10,',
    replace: 'clockTolerance: 3600,'
  },
  {
    rule: 'oauth-3',
    breaks: 'userinfo may be about another subject',
    file: 'core/src/oauth/userinfo.ts',
    find: 'return oauth.processUserInfoResponse(metadata, client, subject, response)',
    replace: 'return oauth.processUserInfoResponse(metadata, client, oauth.skipSubjectCheck, response)'
  },
  {
    rule: 'oauth-4',
    breaks: 'names may resolve to private addresses',
    file: 'core/src/node/guarded-fetch.ts',
    find: "return { agent: agents.guarded['https:'], lookup: publicLookup }",
    replace: "return { agent: agents.open['https:'] }"
  },
  {
    rule: 'oauth-4',
    breaks: 'a private address in the URL is requested',
    file: 'core/src/node/guarded-fetch.ts',
    find: 'if (!allowInsecureRequests && net.isIP(literal) !== 0 && !isPublicAddress(literal))',
    replace: "if (literal === '')"
  },
  {
    rule: 'oauth-4',
    breaks: 'http is requested',
    file: 'core/src/node/guarded-fetch.ts',
    find: "if (!isAllowed) throw new OutboundError('expected an https address')",
    replace: "if (!isAllowed && url.protocol !== 'http:') throw new OutboundError('expected an https address')"
  },
  {
    rule: 'oauth-4',
    breaks: 'a response may have any size',
    file: 'core/src/node/guarded-fetch.ts',
    find: 'if (size > limit) message.destroy',
    replace: 'if (size < 0) message.destroy'
  },
  {
    rule: 'oauth-4',
    breaks: 'the body of a response may take any time',
    file: 'core/src/node/guarded-fetch.ts',
    find: '    const request = send(url, options, (message) => {\n',
    replace: '    const request = send(url, options, (message) => {\n      clearTimeout(timer)\n'
  },
  {
    rule: 'oauth-5',
    breaks: 'an incomplete metadata document is used',
    file: 'core/src/oauth/metadata.ts',
    find: '  checkComplete(metadata, provider)\n',
    replace: ''
  },
  {
    rule: 'oauth-5',
    breaks: 'a failed request is repeated at once',
    file: 'core/src/tokens/document-cache.ts',
    find: 'keepNewest(this.#failures, key, { error, failedAt: this.#now() / 1000 }, this.#times.maxIssuers)',
    replace: 'void error'
  },
  {
    rule: 'oauth-5',
    breaks: 'a logout token that cannot be valid causes a request',
    file: 'core/src/actions/backchannel-logout.ts',
    find: '    const parsed = parseLogoutToken(token, provider, oauth)\n    const metadata = await loadMetadata(provider, oauth)\n',
    replace:
      '    const metadata = await loadMetadata(provider, oauth)\n    const parsed = parseLogoutToken(token, provider, oauth)\n'
  },
  {
    rule: 'account-1',
    breaks: 'numbers beyond 2^53 are rounded',
    file: 'core/src/model/exact-json.ts',
    find: 'return isRounded(key, value, context.source) ? context.source : value',
    replace: 'return value'
  },
  {
    rule: 'account-1',
    breaks: 'an unsafe integer is an account id',
    file: 'core/src/model/account-id.ts',
    find: 'return Number.isSafeInteger(id) && !Object.is(id, -0) ? String(id) : null',
    replace: 'return String(id)'
  },
  {
    rule: 'account-1',
    breaks: 'the string of an integer that was rounded is an account id',
    file: 'core/src/model/account-id.ts',
    find: 'if (leaves.some((value) => isInexact(text, value))) {',
    replace: 'if (leaves.length < 0) {'
  },
  {
    rule: 'account-1',
    breaks: 'the string of a missing value is an account id',
    file: 'core/src/model/account-id.ts',
    find: 'if (textsOfNothing.has(text) && !leaves.includes(text)) {',
    replace: "if (text === '') {"
  },
  {
    rule: 'account-2',
    breaks: 'a user with a similar id is accepted',
    file: 'core/src/adapter/exact-matches.ts',
    find: "return user && user.id !== id ? inexact('getUser') : user",
    replace: 'return user'
  },
  {
    rule: 'account-2',
    breaks: 'the user of a similar account is accepted',
    file: 'core/src/adapter/exact-matches.ts',
    find: "rows.some((row) => isAccountOf(user, key, row)) ? user : inexact('getUserByAccount')",
    replace: "rows.length > 0 ? user : inexact('getUserByAccount')"
  },
  {
    rule: 'account-2',
    breaks: 'a factor with a similar id is accepted',
    file: 'core/src/adapter/exact-matches.ts',
    find: "return factor && !isExact ? inexact('getFactor') : factor",
    replace: 'return factor'
  },
  {
    rule: 'account-2',
    breaks: 'a session with a similar token is accepted',
    file: 'core/src/sessions/database-session-reader.ts',
    find: 'const isExact = row?.session.sessionToken === sessionToken && row.session.userId === row.user.id',
    replace: 'const isExact = true'
  },
  {
    rule: 'passkey-1',
    breaks: 'a response is accepted whatever was signed',
    file: 'account/src/passkey/assertion.ts',
    find: "if (!isRight) throw failed('the signature is wrong', userId)",
    replace: 'void isRight'
  },
  {
    rule: 'passkey-1',
    breaks: 'a passkey signs in from any origin',
    file: 'account/src/passkey/assertion.ts',
    find: 'client.origin === null || !origins.includes(client.origin)',
    replace: 'origins.length === 0'
  },
  {
    rule: 'passkey-1',
    breaks: 'a passkey of any domain signs in',
    file: 'account/src/passkey/assertion.ts',
    find: "!data.rpIdHash.equals(hash('sha256', id, 'buffer'))",
    replace: "data.rpIdHash.length !== hash('sha256', id, 'buffer').length"
  },
  {
    rule: 'passkey-1',
    breaks: 'what an authenticator signed when it created a passkey signs in',
    file: 'account/src/passkey/assertion.ts',
    find: "client.type !== 'webauthn.get'",
    replace: 'client.type === null'
  },
  {
    rule: 'passkey-1',
    breaks: 'nobody needs to be present',
    file: 'account/src/passkey/assertion.ts',
    find: 'if (!data.isUserPresent)',
    replace: 'if (data.counter < 0)'
  },
  {
    rule: 'passkey-1',
    breaks: 'required verification of the user is not verified',
    file: 'account/src/passkey/assertion.ts',
    find: "setup.userVerification === 'required' && !data.isUserVerified",
    replace: "setup.userVerification === 'required' && data.counter < 0"
  },
  {
    rule: 'passkey-1',
    breaks: 'a passkey that cannot be backed up is backed up',
    file: 'account/src/passkey/assertion.ts',
    find: 'data.isBackedUp && !data.isBackupEligible',
    replace: 'data.isBackedUp && data.counter < 0'
  },
  {
    rule: 'passkey-1',
    breaks: 'a frame of another site signs in',
    file: 'account/src/passkey/credential-response.ts',
    find: 'crossOrigin === true || (topOrigin',
    replace: 'crossOrigin === 1 || (topOrigin'
  },
  {
    rule: 'passkey-1',
    breaks: 'a page of another site around it signs in',
    file: 'account/src/passkey/credential-response.ts',
    find: '(topOrigin !== undefined && topOrigin !== null)',
    replace: 'topOrigin === true'
  },
  {
    rule: 'passkey-1',
    breaks: 'a response signs in twice',
    file: 'account/src/passkey/challenges.ts',
    find: "return challenge.context.commit([{ method: 'putTicket', args: [toTicket(challenge), null] }, write])",
    replace: 'return challenge.context.commit([write])'
  },
  {
    rule: 'passkey-1',
    breaks: 'a challenge has no end',
    file: 'account/src/passkey/challenges.ts',
    find: 'expires > setup.now()',
    replace: 'expires > 0'
  }
]
