import type { InvalidOption, Makers } from './invalid-option.ts'

const password = { label: 'Password', type: 'password' }

/** A credentials provider with these options. */
function formWith(options: object): object {
  const credentials = { username: { label: 'Name' }, remember: { type: 'checkbox' }, password }
  return { id: 'form', name: 'Form', type: 'credentials', credentials, authorize: () => null, ...options }
}

const withParameters = (allowedAuthorizationParams: unknown): object => ({
  clientId: 'a',
  clientSecret: 'b',
  allowedAuthorizationParams
})

/** An OpenID Provider with these requirements. */
const requiring =
  (requires: unknown, options: object = {}) =>
  ({ oidc }: Makers): object => ({
    providers: [oidc({ id: 'a', issuer: 'https://i.test', clientId: 'b', clientSecret: 'c', requires, ...options })]
  })

/** Errors in the security options of single providers. */
export const invalidProviderOptions: readonly InvalidOption[] = [
  [
    'an address in place of a domain',
    ({ github }) => ({ providers: [github({ clientId: 'a', clientSecret: 'b', verifiesEmail: ['ada@example.com'] })] }),
    'providers.github.verifiesEmail',
    'INVALID_VALUE',
    /expected domains such as example\.com, got "ada@example\.com"/
  ],
  [
    'a domain without a list',
    ({ github }) => ({ providers: [github({ clientId: 'a', clientSecret: 'b', verifiesEmail: 'example.com' })] }),
    'providers.github.verifiesEmail',
    'INVALID_TYPE',
    /expected true or false or a list of strings/
  ],
  [
    'an identifier that is misspelled',
    { providers: [formWith({ identifier: 'user_name' })] },
    'providers.form.identifier',
    'INVALID_VALUE',
    /expected the name of a field, got another string; did you mean username\?$/
  ],
  [
    'an identifier that is not a field',
    { providers: [formWith({ identifier: 'email address' })] },
    'providers.form.identifier',
    'INVALID_VALUE',
    /expected the name of a field, got another string; there are username, remember, password$/
  ],
  [
    'a password as identifier',
    { providers: [formWith({ identifier: 'password' })] },
    'providers.form.identifier',
    'INVALID_VALUE',
    /expected a field that holds a username, got one of type password; name another field$/
  ],
  [
    'a checkbox as identifier',
    { providers: [formWith({ identifier: 'remember' })] },
    'providers.form.identifier',
    'INVALID_VALUE',
    /expected a field that holds a username, got one of type checkbox/
  ],
  [
    'an identifier that is not a string',
    { providers: [formWith({ identifier: ['username'] })] },
    'providers.form.identifier',
    'INVALID_TYPE',
    /expected a string, got a list of 1$/
  ],
  [
    'a normalization that is not a function',
    { providers: [formWith({ normalizeIdentifier: 'lowercase' })] },
    'providers.form.normalizeIdentifier',
    'INVALID_TYPE',
    /expected a function, got another string$|expected a function, got a string$/
  ],
  [
    'parameters of the protocol that a query may set',
    ({ github }) => ({ providers: [github(withParameters(['login_hint', 'Redirect_URI', 'state']))] }),
    'providers.github.allowedAuthorizationParams',
    'INVALID_VALUE',
    /expected parameters that a query may set, got redirect_uri, state, which Postern sets; omit them$/
  ],
  [
    'allowed parameters in one text',
    ({ github }) => ({ providers: [github(withParameters('login_hint prompt'))] }),
    'providers.github.allowedAuthorizationParams',
    'INVALID_TYPE',
    /expected a list of strings, got another string$/
  ],
  [
    'requirements of a provider without ID Tokens',
    ({ github }) => ({ providers: [github({ clientId: 'a', clientSecret: 'b', requires: { maxAge: 60 } })] }),
    'providers.github.requires',
    'INVALID_VALUE',
    /expected a provider with OpenID Connect, whose ID Token states it; write type: 'oidc', or omit requires$/
  ],
  [
    'requirements of a form',
    { providers: [formWith({ requires: { maxAge: 60 } })] },
    'providers.form.requires',
    'UNKNOWN_OPTION',
    /unknown option/
  ],
  [
    'requirements that require nothing',
    requiring({}),
    'providers.a.requires',
    'INVALID_VALUE',
    /expected acr, amr or maxAge; omit requires for any$/
  ],
  [
    'requirements in a text',
    requiring('gold'),
    'providers.a.requires',
    'INVALID_TYPE',
    /expected an object, got (a|another) string$/
  ],
  [
    'requirements that are misspelled',
    requiring({ acrs: ['gold'] }),
    'providers.a.requires.acrs',
    'UNKNOWN_OPTION',
    /unknown option; did you mean providers\.a\.requires\.acr\?$/
  ],
  [
    'a required acr that is not set',
    requiring({ acr: undefined, maxAge: 60 }),
    'providers.a.requires.acr',
    'OPTION_MISSING',
    /expected a value, got nothing; omit it for any$/
  ],
  ...(
    [
      ['no acr', []],
      ['an empty acr', ''],
      ['an acr with a space', 'gold silver'],
      ['a list of acr with an empty one', ['gold', '']],
      ['a list of acr with a line feed', ['gold', 'silver\n']],
      ['an acr of 256 characters', 'x'.repeat(256)],
      ['17 values of acr', Array.from({ length: 17 }, (_, index) => `a${index}`)]
    ] as const
  ).map(
    ([title, acr]): InvalidOption => [
      `requirements with ${title}`,
      requiring({ acr }),
      'providers.a.requires.acr',
      'INVALID_VALUE',
      /expected 1 to 16 values, each without spaces; omit it for any$/
    ]
  ),
  [
    'a required acr that is a number',
    requiring({ acr: 2 }),
    'providers.a.requires.acr',
    'INVALID_TYPE',
    /expected a string or a list of strings, got a number$/
  ],
  [
    'no required amr',
    requiring({ amr: [] }),
    'providers.a.requires.amr',
    'INVALID_VALUE',
    /expected 1 to 16 values, each without spaces; omit it for any$/
  ],
  [
    'a required amr with a space',
    requiring({ amr: ['pwd otp'] }),
    'providers.a.requires.amr',
    'INVALID_VALUE',
    /expected 1 to 16 values, each without spaces; omit it for any$/
  ],
  [
    'a required amr in a text',
    requiring({ amr: 'mfa' }),
    'providers.a.requires.amr',
    'INVALID_TYPE',
    /expected a list of strings, got another string$/
  ],
  ...([-1, 0.5, Number.NaN, 100_000_000_001] as const).map(
    (maxAge): InvalidOption => [
      `a required age of ${maxAge}`,
      requiring({ maxAge }),
      'providers.a.requires.maxAge',
      'OUT_OF_RANGE',
      /expected a whole number from 0 to 100000000000, got /
    ]
  ),
  [
    'a required age in quotes',
    requiring({ maxAge: '60' }),
    'providers.a.requires.maxAge',
    'INVALID_TYPE',
    /expected a whole number from 0 to 100000000000, got a string; write it without quotes$/
  ]
]
