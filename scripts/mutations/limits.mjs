/** Rules about guessing, floods and second factors. */
export const limitMutations = [
  {
    rule: 'limit-1',
    breaks: 'wrong passwords of one username are not limited',
    file: 'core/src/config/defaults.ts',
    find: 'credentialsPerIdentifier: { points: 100, seconds: 3600 }',
    replace: 'credentialsPerIdentifier: { points: 1000, seconds: 3600 }'
  },
  {
    rule: 'limit-1',
    breaks: 'wrong passwords of one client are not limited',
    file: 'core/src/config/defaults.ts',
    find: 'credentialsPerIdentifierAndClient: { points: 10, seconds: 900 }',
    replace: 'credentialsPerIdentifierAndClient: { points: 1000, seconds: 900 }'
  },
  {
    rule: 'limit-1',
    breaks: 'mails to one address are not limited',
    file: 'core/src/config/defaults.ts',
    find: 'mailPerIdentifier: { points: 5, seconds: 900 }',
    replace: 'mailPerIdentifier: { points: 500, seconds: 900 }'
  },
  {
    rule: 'limit-1',
    breaks: 'callbacks and codes are not limited',
    file: 'core/src/actions/sign-in.ts',
    find: '  await limitCallbacks(request, config)\n',
    replace: '  void limitCallbacks\n'
  },
  {
    rule: 'limit-1',
    breaks: 'each address of an IPv6 network is a client',
    file: 'core/src/sign-in-methods/client-key.ts',
    find: `\`\${groups.slice(0, 4).join(':')}::/64\``,
    replace: `\`\${groups.join(':')}::/64\``
  },
  {
    rule: 'limit-1',
    breaks: 'wider IPv6 networks are not counted',
    file: 'core/src/sign-in-methods/client-key.ts',
    find: '  return [own, ...wider]\n',
    replace: '  return wider.length > 2 ? [own, ...wider] : [own]\n'
  },
  {
    rule: 'limit-1',
    breaks: 'nothing is counted while the shared store is down',
    file: 'fastify/src/fallback-limiter.ts',
    find: '        () => here.consume(key, rule)\n',
    replace: '        () => Promise.resolve(0)\n'
  },
  {
    rule: 'limit-2',
    breaks: 'a device that has signed in has no limits of its own',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: '  if (budget) return budget\n',
    replace: '  if (budget) await refundPoints(budget, config)\n'
  },
  {
    rule: 'limit-2',
    breaks: 'a device has limits of its own for other users',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: 'if (!(await isAccountOf(known, identity)))',
    replace: 'if (identity === null && !(await isAccountOf(known, identity)))',
    also: [
      {
        file: 'core/src/sign-in-methods/known-device.ts',
        find: 'return find((known) => wanted.some((name) => known.names.includes(name)), cookies, config)',
        replace: 'return find(() => wanted.length > 0, cookies, config)'
      }
    ]
  },
  {
    rule: 'limit-2',
    breaks: 'no attempt is allowed beyond the limit of a username',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: '  if (retryAfter === 0) return all\n',
    replace: '  if (retryAfter < 0) return all\n'
  },
  {
    rule: 'limit-2',
    breaks: 'a new browser waits for longer than 30 seconds',
    file: 'core/src/sign-in-methods/growing-delay.ts',
    find: 'credentialDelays: Delays = [5, 10, 20, 30]',
    replace: 'credentialDelays: Delays = [5, 10, 20, 40]'
  },
  {
    rule: 'limit-1',
    breaks: 'the delay beyond the limit of a username does not grow',
    file: 'core/src/sign-in-methods/growing-delay.ts',
    find: 'credentialDelays: Delays = [5, 10, 20, 30]',
    replace: 'credentialDelays: Delays = [5]'
  },
  {
    rule: 'limit-3',
    breaks: 'the keys of a rule may take any memory',
    file: 'fastify/src/capped-counter.ts',
    find: 'while (this.#bytes > this.#maxBytes && this.#once.size',
    replace: 'while (this.#bytes < 0 && this.#once.size'
  },
  {
    rule: 'limit-3',
    breaks: 'all sign-in mails together are not limited',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: '      if (!mailPerApplication) return\n',
    replace: '      if (!mailPerApplication || consumed) return\n'
  },
  {
    rule: 'limit-4',
    breaks: 'only the first field of a form is counted',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: 'others.length > 0) return [...new Set(others)]',
    replace: 'others.length > 0) return others.slice(0, 1)'
  },
  {
    rule: 'limit-4',
    breaks: 'each spelling of a username has a counter',
    file: 'core/src/sign-in-methods/rate-limit-identifier.ts',
    find: "  if (plain.test(value)) return getRateLimitIdentifier(value.toLowerCase().replace(doubledS, 's'))\n",
    replace: '  if (value) return getRateLimitIdentifier(value)\n'
  },
  {
    rule: 'limit-4',
    breaks: 'a client is not counted across all usernames',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: `(client) => \`credentials of all by \${client}\`, `,
    replace: `(client) => \`credentials of \${identifiers.join()} by \${client}\`, `
  },
  {
    rule: 'limit-4',
    breaks: 'a correct password refunds other attempts',
    file: 'core/src/sign-in-methods/rate-limits.ts',
    find: ': refundPoints(consumed, config))\n  }\n',
    replace: ': refundPoints([...consumed, ...consumed, ...consumed, ...consumed], config))\n  }\n'
  },
  {
    rule: 'factor-1',
    breaks: 'a sign-in is not interrupted',
    file: 'core/src/actions/sign-in.ts',
    find: "if (error !== null)\n      return { kind: 'interrupted', error",
    replace: "if (error === 'none')\n      return { kind: 'interrupted', error"
  },
  {
    rule: 'factor-1',
    breaks: 'a second factor is not asked for after a mailed link, a provider or a form',
    file: 'account/src/second-factor/challenge.ts',
    find: 'return (await hasFactor(signIn, factors, setup)) && !(await isTrusted(signIn, factors, request, setup))',
    replace:
      "return signIn.account.type === 'password' && (await hasFactor(signIn, factors, setup)) && !(await isTrusted(signIn, factors, request, setup))"
  },
  {
    rule: 'factor-1',
    breaks: 'a code alone is compared after 30 failures in a year',
    file: 'account/src/second-factor/limits.ts',
    find: "return length >= maxYearlyAlone ? 'mailed' : 'alone'",
    replace: "return length >= maxYearlyFailures ? 'mailed' : 'alone'"
  },
  {
    rule: 'factor-1',
    breaks: 'codes of ten minutes are accepted',
    file: 'account/src/second-factor/totp.ts',
    find: 'const tolerance = 1',
    replace: 'const tolerance = 10'
  }
]
