/** Rules about applications, secrets and stored data. */
export const secretMutations = [
  {
    rule: 'application-1',
    breaks: 'values of every application are accepted',
    file: 'core/src/tokens/application.ts',
    find: 'return boundTo === undefined || boundTo === null ? acceptsUnbound : boundTo === id',
    replace: 'return boundTo === undefined || boundTo === null ? acceptsUnbound : id !== null'
  },
  {
    rule: 'application-1',
    breaks: 'all applications have the same tag',
    file: 'core/src/tokens/application-tag.ts',
    find: 'chain(keyedHashes(ring, applicationId), shorten)',
    replace: "chain(keyedHashes(ring, applicationId && ''), shorten)"
  },
  {
    rule: 'storage-1',
    breaks: 'session tokens are stored as they are',
    file: 'core/src/sessions/session-token.ts',
    find: "return storage === 'plain' ? token : mark + (await keyedHash(ring, token))",
    replace: 'return ring && storage ? token : mark',
    also: [
      {
        file: 'core/src/sessions/session-token.ts',
        find: "return storage === 'both' ? [...hashed, token] : hashed",
        replace: 'return [...hashed, token]'
      }
    ]
  },
  {
    rule: 'storage-1',
    breaks: 'the stored form of a session token is a cookie',
    file: 'core/src/sessions/session-token.ts',
    find: '  if (isStoredForm(token)) return []\n',
    replace: '  if (isStoredForm(token)) return [token]\n'
  },
  {
    rule: 'storage-1',
    breaks: 'tokens of mailed links are stored as they are',
    file: 'core/src/sign-in-methods/bound-token.ts',
    find: 'return { linkToken, tokenHash: await keyedHash(config.keys.emailToken, bound) }',
    replace: 'return { linkToken, tokenHash: bound }'
  },
  {
    rule: 'storage-1',
    breaks: 'keys of apps are stored as plain text',
    file: 'core/src/adapter/encrypted-store.ts',
    find: 'create: async (factor) => factors.create(await encrypt(factor)),',
    replace: 'create: async (factor) => factors.create(factor),'
  },
  {
    rule: 'storage-1',
    breaks: 'tokens of providers are not encrypted',
    file: 'core/src/adapter/encrypted-store.ts',
    find: 'encrypted[name] = markToken(await cipher.encrypt(token))',
    replace: 'encrypted[name] = token'
  },
  {
    rule: 'secret-1',
    breaks: 'sessions and cookies of a secret of stored data are accepted',
    file: 'core/src/config/services.ts',
    find: '  const { secrets } = draft.secrets\n  const tasks',
    replace: '  const secrets = [...draft.secrets.secrets, ...draft.dataSecrets.secrets]\n  const tasks'
  },
  {
    rule: 'secret-1',
    breaks: 'stored data has the keys of the secret only',
    file: 'core/src/config/data-encryption.ts',
    find: 'const given = isSeparate ? dataSecrets : secrets',
    replace: 'const given = secrets'
  },
  {
    rule: 'secret-2',
    breaks: 'all purposes have one key',
    file: 'core/src/tokens/keys.ts',
    find: `return ring(secrets, '', \`Postern key for \${purpose}\`)`,
    replace: `return ring(secrets, '', \`Postern key for \${purpose && 'all'}\`)`
  }
]
