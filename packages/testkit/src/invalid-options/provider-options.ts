import type { InvalidOption } from './invalid-option.ts'

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

/** Errors in the security options of single providers. */
export const invalidProviderOptions: readonly InvalidOption[] = [
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
  ]
]
