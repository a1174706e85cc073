/** An account with the address of a user without accounts joins that user. */
const joinsWithoutAccounts = {
  file: 'core/src/accounts/plan-sign-in.ts',
  find: 'const isInvitee = store.tickets !== null && mayRedeem && (await isInvited(userWithEmail.user, store.tickets, now()))',
  replace:
    'const isEmpty = (await store.getAccounts?.(userWithEmail.user.id))?.length === 0\n  const isInvitee = isEmpty || (store.tickets !== null && mayRedeem && (await isInvited(userWithEmail.user, store.tickets, now())))',
  also: [
    {
      file: 'core/src/accounts/apply-plan.ts',
      find: `  throw new AuthError('OAuthAccountNotLinked', \`\${account.provider}: the invitation was used\`)\n`,
      replace: '  void account\n'
    },
    {
      file: 'core/src/accounts/linking-policy.ts',
      find: "  if (!isEmailVerified) return { kind: 'refuse' }\n",
      replace: '  void isEmailVerified\n'
    }
  ]
}

/** Rules about joining, linking, reclaiming and removing accounts. */
export const accountMutations = [
  {
    rule: 'join-1',
    breaks: 'a new account joins the user with its address',
    file: 'core/src/accounts/linking-policy.ts',
    find: "return isInvited ? joinOrReclaim(userWithEmail, true) : { kind: 'refuse' }",
    replace: 'return joinOrReclaim(userWithEmail, isInvited)'
  },
  {
    rule: 'join-1',
    breaks: 'an account signs in as its owner although somebody else is signed in',
    file: 'core/src/accounts/linking-policy.ts',
    find: "return !current || current.user.id === owner.user.id ? { kind: 'sign-in', found: owner } : { kind: 'refuse' }",
    replace: "return { kind: 'sign-in', found: owner }"
  },
  {
    rule: 'join-2',
    breaks: 'a mailed link removes what a user with a verified address has',
    file: 'core/src/accounts/linking-policy.ts',
    find: "return found.user.emailVerified ? { kind: 'sign-in', found } : { kind: 'reclaim', found, isInvited: false }",
    replace: "return { kind: 'reclaim', found, isInvited: false }"
  },
  {
    rule: 'join-3',
    breaks: 'a mailed link signs in as a user whose address is unverified, and removes nothing',
    file: 'core/src/accounts/linking-policy.ts',
    find: "return found.user.emailVerified ? { kind: 'sign-in', found } : { kind: 'reclaim', found, isInvited: false }",
    replace: "return { kind: 'sign-in', found }"
  },
  {
    rule: 'join-4',
    breaks: 'an invitation is not consumed',
    file: 'core/src/accounts/apply-plan.ts',
    find: 'if (await tickets?.consume(await invitationKey(id, email))) return',
    replace: 'if (await tickets?.read(await invitationKey(id, email))) return'
  },
  {
    rule: 'join-4',
    breaks: 'an invitation does not expire',
    file: 'core/src/accounts/invitation.ts',
    find: 'ticket.expires.getTime() > now &&',
    replace: 'now > 0 &&'
  },
  {
    rule: 'join-4',
    breaks: 'any provider redeems an invitation',
    file: 'core/src/accounts/plan-sign-in.ts',
    find: 'isEmailVerified && mayRedeemInvitation',
    replace: 'isEmailVerified || providers.has(account.provider)',
    also: [
      {
        file: 'core/src/accounts/linking-policy.ts',
        find: "if (!isEmailVerified) return { kind: 'refuse' }",
        replace: "if (!isEmailVerified && !isInvited) return { kind: 'refuse' }"
      }
    ]
  },
  {
    rule: 'join-5',
    breaks: 'allowDangerousEmailAccountLinking links to an unverified user',
    file: 'core/src/accounts/linking-policy.ts',
    find: 'if (mayLinkByEmail && userWithEmail.user.emailVerified) return',
    replace: 'if (mayLinkByEmail) return'
  },
  {
    rule: 'join-5',
    breaks: 'allowDangerousEmailAccountLinking links an account whose address is unverified',
    file: 'core/src/accounts/linking-policy.ts',
    find: "if (!isEmailVerified) return { kind: 'refuse' }",
    replace: "if (!isEmailVerified && !mayLinkByEmail) return { kind: 'refuse' }"
  },
  {
    rule: 'join-6',
    breaks: 'a user without accounts is joined by a verified address',
    ...joinsWithoutAccounts
  },
  {
    rule: 'join-7',
    breaks: 'any account joins a user whose first sign-in was cut off',
    ...joinsWithoutAccounts
  },
  {
    rule: 'reclaim-1',
    breaks: 'the sessions of a reclaimed user stay',
    file: 'core/src/accounts/apply-plan.ts',
    find: "if (plan.kind === 'reclaimed' || attempt.hasEnrolled) return 'raises'",
    replace: "if (attempt.hasEnrolled) return 'raises'"
  },
  {
    rule: 'reclaim-1',
    breaks: 'the accounts of a reclaimed user stay',
    file: 'core/src/accounts/reclaim.ts',
    find: 'for (const key of accounts) await store.unlinkAccount?.(key)',
    replace: 'void accounts'
  },
  {
    rule: 'reclaim-1',
    breaks: 'the factors of a reclaimed user stay',
    file: 'core/src/accounts/reclaim.ts',
    find: 'for (const key of factors) await store.factors?.delete(key)',
    replace: 'void factors'
  },
  {
    rule: 'reclaim-1',
    breaks: 'what waits for a reclaimed user stays',
    file: 'core/src/accounts/reclaim.ts',
    find: '  await store.tickets?.delete(id)\n',
    replace: ''
  },
  {
    rule: 'reclaim-2',
    breaks: 'no evidence is recorded',
    file: 'core/src/accounts/account-evidence.ts',
    find: 'if (!store.evidence || !emailVerified || !user.email) return',
    replace: 'if (!store.evidence || !emailVerified || user.email) return'
  },
  {
    rule: 'reclaim-2',
    breaks: 'evidence of another address counts',
    file: 'core/src/accounts/account-evidence.ts',
    find: 'evidence.email === address && isSameAccount(evidence, account)',
    replace: 'address && isSameAccount(evidence, account)'
  },
  {
    rule: 'reclaim-3',
    breaks: 'the event lists no accounts',
    file: 'core/src/accounts/reclaim.ts',
    find: "removed: { accounts }, phase: 'before'",
    replace: "removed: { accounts: [] }, phase: 'before'"
  },
  {
    rule: 'reclaim-5',
    breaks: 'a listener that throws does not stop a reclaim',
    file: 'core/src/accounts/reclaim.ts',
    find: "await reclaimUser({ user, account, removed: { accounts }, phase: 'before' })",
    replace: "await reclaimUser({ user, account, removed: { accounts }, phase: 'before' }).catch(() => null)",
    also: [
      {
        file: 'core/src/accounts/reclaim.ts',
        find: '    await store.updateUser({ id: user.id, emailVerified: null })\n    throw error\n',
        replace: '    void store\n    void error\n'
      }
    ]
  },
  {
    rule: 'reclaim-5',
    breaks: 'an account that cannot be removed does not stop a reclaim',
    file: 'core/src/accounts/reclaim.ts',
    find: 'for (const key of accounts) await store.unlinkAccount?.(key)',
    replace: 'for (const key of accounts) await store.unlinkAccount?.(key).catch(() => null)'
  },
  {
    rule: 'overlap-1',
    breaks: 'a sign-in does not require the version that was read',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: "first.push({ method: 'requireUserVersion', args: [required.userId, required.version] })",
    replace: 'first.push()',
    also: [
      {
        file: 'core/src/sessions/user-versions.ts',
        find: 'const expected = isForced ? null : row.version',
        replace: 'const expected = isForced || row.version >= 0 ? null : row.version'
      }
    ]
  },
  {
    rule: 'overlap-1',
    breaks: 'a change does not require the version that was read',
    file: 'core/src/sessions/user-versions.ts',
    find: 'const expected = isForced ? null : row.version',
    replace: 'const expected = isForced || row.version >= 0 ? null : row.version'
  },
  {
    rule: 'overlap-1',
    breaks: 'a sign-in that another change has prevented does not begin again',
    file: 'core/src/actions/sign-in.ts',
    find: 'if (!(error instanceof SignInConflict)) throw error',
    replace: 'if (error) throw error'
  },
  {
    rule: 'overlap-1',
    breaks: 'PostgreSQL compares the version of a sign-in without locking the row',
    file: 'adapters/src/drizzle/postgres/user-versions.ts',
    find: "const lock = () => db.select({ version }).from(versions).where(eq(versions.userId, userId)).for('share')",
    replace: 'const lock = () => db.select({ version }).from(versions).where(eq(versions.userId, userId))'
  },
  {
    rule: 'overlap-1',
    breaks: 'PostgreSQL deletes the sessions in the statement that changes the row',
    file: 'adapters/src/drizzle/postgres/user-versions.ts',
    find: '    .insert(versions)\n    .values(toVersionRow(advance))\n',
    replace:
      "    .with(db.$with('ended').as(db.delete(tables.sessions).where(eq(tables.sessions.userId, advance.userId)).returning()))\n    .insert(versions)\n    .values(toVersionRow(advance))\n",
    also: [
      {
        file: 'adapters/src/drizzle/postgres/sessions.ts',
        find: 'return async (userId, except) => {',
        replace: 'return async (userId, except) => {\n    if (except === undefined) return'
      }
    ]
  },
  {
    rule: 'overlap-4',
    breaks: 'a sign-in that begins again forgets the version that it read first',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: 'const first = firstVersions.get(userId) ?? (isRestarted ? 0 : version)',
    replace: 'const first = version'
  },
  {
    rule: 'overlap-4',
    breaks: 'a sign-in completes although the sessions of the user have ended since it began',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: 'if (sessionsFrom > firstVersion) throw createEndedError(attempt, kind, userId)',
    replace: 'void [sessionsFrom, firstVersion, kind, createEndedError]'
  },
  {
    rule: 'overlap-5',
    breaks: 'a form that was submitted before an end of all sessions signs in',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: 'if (submittedAt !== null && userVersion === null && sessionsFrom >= submittedAt)',
    replace: 'if (submittedAt !== null && userVersion === null && sessionsFrom < 0)'
  },
  {
    rule: 'hook-1',
    breaks: 'the signIn callback replaces the account',
    file: 'core/src/actions/sign-in.ts',
    find: 'account: { ...account, provider: providerId, type, providerAccountId },',
    replace: 'account,'
  },
  {
    rule: 'hook-1',
    breaks: 'an address that the signIn callback has changed counts as verified',
    file: 'core/src/actions/sign-in.ts',
    find: 'emailVerified: proof.identity.emailVerified && isSameAddress',
    replace: 'emailVerified: proof.identity.emailVerified && isSameAddress !== null'
  },
  {
    rule: 'end-1',
    breaks: 'an end of all sessions leaves database sessions',
    file: 'core/src/sessions/user-versions.ts',
    find: '    if (raises) await store.deleteSessions?.(userId, issued?.sessionToken ?? undefined)\n    if (!(await commit(',
    replace: '    if (!(await commit('
  },
  {
    rule: 'end-1',
    breaks: 'an end of all sessions leaves JWT sessions',
    file: 'core/src/sessions/user-versions.ts',
    find: 'changeId: randomUuid(randomBytes), raises, suspendedAt, isGone, until',
    replace:
      'changeId: randomUuid(randomBytes), raises: raises && expected !== null && expected < 0, suspendedAt, isGone, until'
  },
  {
    rule: 'link-1',
    breaks: 'another address that an account states verifies the address of the user',
    file: 'core/src/accounts/plan-sign-in.ts',
    find: '!user.emailVerified && isSameEmailAddress(user.email, identity.user.email)',
    replace: '!user.emailVerified && Boolean(identity.user.email)'
  },
  {
    rule: 'link-1',
    breaks: 'a sign-in through a linked account ends what the user has',
    file: 'core/src/accounts/apply-plan.ts',
    find: "if (plan.kind !== 'known' || plan.verifiesAddress) return 'advances'",
    replace: "if (plan.kind !== 'known' || plan.verifiesAddress) return 'raises'"
  },
  {
    rule: 'link-2',
    breaks: 'a session links an account at any time',
    file: 'core/src/accounts/resolved-user.ts',
    find: 'if (linkFreshWithin === null || (latest && now() - latest.getTime() <= linkFreshWithin * 1000)) return',
    replace: 'if (linkFreshWithin === null || (latest && now() > 0)) return'
  },
  {
    rule: 'link-2',
    breaks: 'the time of the session starts again with a link',
    file: 'core/src/actions/describe-session.ts',
    find: 'continues: { startedAt: before?.principal?.signedInAt ?? null, record }',
    replace: 'continues: { startedAt: null, record }'
  },
  {
    rule: 'link-2',
    breaks: 'a link counts as an authentication of the user',
    file: 'core/src/actions/describe-session.ts',
    find: 'const own = continued ? toContext(continued, provider) : unknownAuthentication(provider)',
    replace: 'const own = continued === undefined ? unknownAuthentication(provider) : attempt.proof.authentication'
  },
  {
    rule: 'link-3',
    breaks: 'an account is linked to the signed-in user without a question',
    file: 'core/src/accounts/plan-sign-in.ts',
    find: "const mustConfirm = !isLink && rules.signedIn === 'confirm'",
    replace: "const mustConfirm = isLink === null && rules.signedIn === 'confirm'"
  },
  {
    rule: 'link-3',
    breaks: 'the page for one account confirms another one',
    file: 'core/src/features/confirm-link.ts',
    find: "getText(request.body, 'link') === (await getLinkValue(signIn.account)) ? 'passed' : show(signIn, request, 409)",
    replace: "getText(request.body, 'link') !== null ? 'passed' : show(signIn, request, 409)"
  },
  {
    rule: 'link-3',
    breaks: 'a user whom the page did not name confirms a link',
    file: 'core/src/actions/sign-in.ts',
    find: 'if (resumed && resumed.userId !== userId)',
    replace: 'if (resumed && resumed.userId === undefined)',
    also: [
      {
        file: 'core/src/accounts/plan-sign-in.ts',
        find: '  if (principal && isSomebodyElse && known.owner?.user.id !== current.user.id)\n    throw new SessionConflictError(identity.account.provider, principal)\n',
        replace: '  void isSomebodyElse\n  void SessionConflictError\n'
      },
      {
        file: 'core/src/actions/verify.ts',
        find: 'if (link && (await sessionReader.readUser(request.cookies))?.userId !== userId) return null',
        replace: 'if (link && sessionReader === undefined) return null'
      }
    ]
  },
  {
    rule: 'unlink-1',
    breaks: 'an account that is removed leaves the sessions of the user',
    file: 'core/src/accounts/unlink-account.ts',
    find: "  const raises = sessions === 'end'\n  if (raises) sessionManager.require('endAll')\n  const key",
    replace: "  const raises = sessions === undefined\n  if (raises) sessionManager.require('endAll')\n  const key"
  },
  {
    rule: 'unlink-2',
    breaks: 'the last way to sign in is removed',
    file: 'core/src/accounts/unlink-account.ts',
    find: 'if ((await countWaysIn(userId, key, store, rules)) === 0) throw lastWayIn()',
    replace: 'void lastWayIn'
  },
  {
    rule: 'unlink-2',
    breaks: 'an unverified address counts as a way to sign in',
    file: 'core/src/accounts/unlink-account.ts',
    find: 'return user?.email && user.emailVerified ? count + 1 : count',
    replace: 'return user?.email ? count + 1 : count'
  },
  {
    rule: 'unlink-2',
    breaks: 'several calls at once remove all accounts',
    file: 'core/src/sessions/user-versions.ts',
    find: 'const expected = isForced ? null : row.version',
    replace: 'const expected = isForced || row.version >= 0 ? null : row.version'
  },
  {
    rule: 'logout-1',
    breaks: 'a logout token with a sid ends no session',
    file: 'core/src/sessions/session-manager.ts',
    find: 'for (const id of users) await this.#endNamed(id, logout, sessionId)',
    replace: 'void users'
  },
  {
    rule: 'logout-1',
    breaks: 'a logout token with a sub ends no session',
    file: 'core/src/sessions/session-manager.ts',
    find: '      if (userId !== null) await this.userVersions.endSessions(userId)\n      return\n',
    replace: '      return\n'
  },
  {
    rule: 'logout-1',
    breaks: 'a session that linked an account does not depend on its provider',
    file: 'core/src/sessions/session-manager.ts',
    find: '  return origins.some(\n',
    replace: '  return origins.slice(0, 1).some(\n'
  },
  {
    rule: 'adapter-1',
    breaks: 'a user is reclaimed although the adapter cannot remove what others have added',
    file: 'core/src/accounts/reclaim.ts',
    find: '  if (missingToReclaim.length === 0) return\n',
    replace: '  if (missingToReclaim.length >= 0) return\n'
  },
  {
    rule: 'adapter-1',
    breaks: 'startup does not report an adapter that cannot end sessions',
    file: 'core/src/config/warnings.ts',
    find: '    isRemovalRefused &&\n',
    replace: '    isRemovalRefused &&\n      forSessions.length === 0 &&\n'
  },
  {
    rule: 'privacy-1',
    breaks: 'a mail to an unknown address is refused',
    file: 'core/src/sign-in-methods/email-start.ts',
    find: '  const isMailed = await mayGetMail(provider, identifier, known)\n',
    replace:
      "  const isMailed = await mayGetMail(provider, identifier, known)\n  if (!known) throw new AuthError('EmailSignin', 'unknown')\n"
  },
  {
    rule: 'privacy-2',
    breaks: 'a known address is refused, and an unknown one signs up',
    file: 'core/src/accounts/unlinked-address.ts',
    find: "const isUnproven = decision.kind === 'create' && !emailVerified",
    replace: "const isUnproven = decision.kind === 'create' && emailVerified === null"
  },
  {
    rule: 'privacy-2',
    breaks: 'an address that the provider has verified does not sign up',
    file: 'core/src/accounts/unlinked-address.ts',
    find: "const isUnproven = decision.kind === 'create' && !emailVerified",
    replace: "const isUnproven = decision.kind === 'create' && emailVerified !== null"
  },
  {
    rule: 'privacy-3',
    breaks: 'notices do not count as mails',
    file: 'core/src/actions/notify-owner.ts',
    find: '    await mailLimits(getRateLimitAddress(address), request, config).consume()\n',
    replace: '    void mailLimits(getRateLimitAddress(address), request, config)\n'
  },
  {
    rule: 'privacy-3',
    breaks: 'the option is accepted without a mail server',
    file: 'core/src/config/resolve-mailer.ts',
    find: 'if (options.linking?.concealUsers && !providers.some(({ traits }) => traits.provesMailbox))',
    replace: 'if (options.linking?.concealUsers && !providers)',
    also: [
      {
        file: 'core/src/config/resolve-mailer.ts',
        find: "if (linking?.concealUsers) return 'linking.concealUsers'",
        replace: 'if (linking?.concealUsers) return null'
      }
    ]
  },
  {
    rule: 'suspend-1',
    breaks: 'a suspension is not stored',
    file: 'core/src/accounts/suspension.ts',
    find: 'suspendedAt: suspendedAt ?? new Date(rules.now()),',
    replace: 'suspendedAt: suspendedAt && new Date(rules.now()),',
    only: '(secret|transactions)'
  },
  {
    rule: 'suspend-1',
    breaks: 'a suspension outlives the deletion of its user',
    file: 'core/src/accounts/unlink-account.ts',
    find: 'isForced: true, raises, suspendedAt: null, isGone: true, events }',
    replace: 'isForced: true, raises, isGone: true, events }',
    only: '(secret|transactions)'
  },
  {
    rule: 'suspend-2',
    breaks: 'what waits for a user survives a suspension',
    file: 'core/src/accounts/suspension.ts',
    find: '      await deleteUserTickets(userId, writing, sessions.store, rules.features)\n',
    replace: '',
    only: '(transactions|known device)'
  },
  {
    rule: 'suspend-2',
    breaks: 'known devices survive a suspension',
    file: 'core/src/sign-in-methods/known-device.ts',
    find: '({ sessionsFrom }) => sessionsFrom > version,',
    replace: '({ sessionsFrom }) => sessionsFrom < version && sessionsFrom < 0,',
    only: '(transactions|known device)'
  },
  {
    rule: 'suspend-3',
    breaks: 'a suspended user signs in',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: `if (suspendedAt) throw new AuthError('UserSuspended', \`\${id}: the user is suspended\`, { userId })`,
    replace: 'void [suspendedAt, id]',
    only: '(memory|at any call|during)'
  },
  {
    rule: 'suspend-3',
    breaks: 'a sign-in that a suspension overlaps creates its session',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: "first.push({ method: 'requireUserVersion', args: [required.userId, required.version] })",
    replace: 'first.push()',
    only: '(memory|at any call|during)'
  },
  {
    rule: 'suspend-4',
    breaks: 'other processes read revocations once in ten minutes',
    file: 'core/src/config/defaults.ts',
    find: 'revocationRefresh: 1,',
    replace: 'revocationRefresh: 600,'
  },
  {
    rule: 'suspend-4',
    breaks: 'revocations that cannot be read are old for a day',
    file: 'core/src/config/defaults.ts',
    find: 'revocationStale: 60,',
    replace: 'revocationStale: 86_400,'
  },
  {
    rule: 'suspend-5',
    breaks: 'a request for an email shows that a user is suspended',
    file: 'core/src/sign-in-methods/email-start.ts',
    find: '  const isMailed = await mayGetMail(provider, identifier, known)\n',
    replace:
      "  const isMailed = await mayGetMail(provider, identifier, known)\n  if (known && (await store.versions?.get(known.id))?.suspendedAt)\n    throw new AuthError('UserSuspended', 'suspended')\n"
  },
  {
    rule: 'suspend-6',
    breaks: 'a reclaim ends a suspension',
    file: 'core/src/accounts/sign-in-transaction.ts',
    find: "advanceAfter({ userId: row.userId, raises: change === 'raises' }, row)",
    replace: "advanceAfter({ userId: row.userId, raises: change === 'raises', suspendedAt: null }, row)",
    also: [
      {
        file: 'core/src/sessions/user-versions.ts',
        find: 'const expected = isForced ? null : row.version',
        replace: 'const expected = isForced || row.version >= 0 ? null : row.version'
      }
    ]
  },
  {
    rule: 'suspend-7',
    breaks: 'a repeated call of suspend does not end the sessions',
    file: 'core/src/accounts/suspension.ts',
    find: '      raises: true,\n',
    replace: '      raises: suspendedAt === null,\n'
  }
]
