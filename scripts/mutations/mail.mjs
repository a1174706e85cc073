/** Rules about mailed links and codes, and addresses. */
export const mailMutations = [
  {
    rule: 'email-1',
    breaks: 'a link signs in every browser that opens it',
    file: 'core/src/sign-in-methods/email-verify.ts',
    find: "if (isPosted || isOwnClick || provider.confirm === 'never') {",
    replace: 'if (isPosted || isOwnClick || request.method !== null) {'
  },
  {
    rule: 'email-1',
    breaks: 'a prefetch in the browser that requested the mail uses its link',
    file: 'core/src/sign-in-methods/email-verify.ts',
    find: 'own !== undefined && isNavigation(request)',
    replace: 'own !== undefined'
  },
  {
    rule: 'email-2',
    breaks: 'a link is not consumed',
    file: 'core/src/sign-in-methods/one-time-token.ts',
    find: '  for (const token of hashes) {\n    const row = await store.useVerificationToken({ identifier, token })\n',
    replace:
      '  for (const token of hashes) {\n    const row = await (store.getVerificationToken ?? store.useVerificationToken)({ identifier, token })\n'
  },
  {
    rule: 'email-2',
    breaks: 'the fifth wrong code leaves the link and the code',
    file: 'core/src/sign-in-methods/email-code.ts',
    find: 'if (attemptCounter.count === 1) await store.useVerificationToken({ identifier, token: tokenHash })\n    else',
    replace: 'void identifier\n    await createAttemptCounter(attemptCounter, store)\n    if (attemptCounter.count < 0)'
  },
  {
    rule: 'email-2',
    breaks: 'the attempts are counted in the cookie of the browser',
    file: 'core/src/sign-in-methods/one-time-token.ts',
    find: '    if (row) return { tokenHash, count, expires: row.expires }\n',
    replace: '    if (row) return { tokenHash, count: max, expires: row.expires }\n'
  },
  {
    rule: 'email-2',
    breaks: 'a code signs in any browser that requested a mail',
    file: 'core/src/sign-in-methods/email-code.ts',
    find: 'const hashes = await keyedHashes(keys.code, tokenHash + code)',
    replace: 'const hashes = [codeHash, ...(await keyedHashes(keys.code, tokenHash + code))]'
  },
  {
    rule: 'email-3',
    breaks: 'an address may have a quoted part',
    file: 'core/src/model/normalize-email-address.ts',
    find: "const localPart = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(",
    replace: 'const localPart = /^[a-z0-9!#$%&\'*+/=?^_`{|}~"@,;<> -]+('
  },
  {
    rule: 'email-3',
    breaks: 'the domain of an address is not normalized',
    file: 'core/src/model/normalize-email-address.ts',
    find: 'const domain = asciiDomain(written)',
    replace: 'const domain = written'
  },
  {
    rule: 'email-3',
    breaks: 'an address of a provider that does not follow the grammar is stored',
    file: 'core/src/accounts/apply-plan.ts',
    find: 'const email = isStored ? given : null',
    replace: 'const email = isStored ? given : given'
  },
  {
    rule: 'email-4',
    breaks: 'a mail is sent with a token of six digits',
    file: 'core/src/sign-in-methods/email-start.ts',
    find: 'const minTokenBits = 64',
    replace: 'const minTokenBits = 16'
  }
]
