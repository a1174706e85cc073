import type { CredentialField, Page } from '@postern/core'
import t from 'tap'
import { renderer } from '../../src/index.ts'
import { type Dom, read } from '../dom.ts'
import * as sample from '../samples.ts'

const context = sample.createPageContext()

function form(field: Partial<CredentialField>): Dom {
  const fields = [{ name: 'field', label: 'Field', type: 'text', attributes: {}, ...field }]
  const page: Page = {
    ...sample.signIn,
    choices: [{ type: 'credentials', id: 'own', name: 'Own', action: '/api/auth/callback/own', fields }]
  }
  return read(renderer.page(page, context))
}

const getAttributes = (field: Partial<CredentialField>): Readonly<Record<string, string>> =>
  form(field).one(`#input-${field.name ?? 'field'}-for-own-provider`).attributes

t.test('attributes of the configuration reach the input, however they are spelled', async (t) => {
  const attributes = {
    placeholder: 'jsmith',
    autocomplete: 'nickname',
    maxLength: 20,
    required: true,
    readOnly: false,
    value: 'preset',
    pattern: '[a-z]+',
    'data-test': 'field',
    'aria-label': 'Nick'
  }
  t.match(getAttributes({ name: 'username', attributes }), {
    placeholder: 'jsmith',
    autocomplete: 'nickname',
    maxlength: '20',
    required: '',
    value: 'preset',
    pattern: '[a-z]+',
    'data-test': 'field',
    'aria-label': 'Nick'
  })
  t.notOk('readonly' in getAttributes({ attributes }))
})

t.test('attributes that run script, load files, restyle or send elsewhere are left out', async (t) => {
  const attributes = {
    onfocus: 'alert(1)',
    onClick: 'alert(1)',
    ONINPUT: 'alert(1)',
    style: 'position:fixed',
    class: 'x',
    src: 'https://evil.example/x.png',
    formaction: 'https://evil.example',
    formAction: 'https://evil.example',
    form: 'other',
    id: 'other',
    name: 'other',
    type: 'image',
    children: 'x',
    key: 'x',
    ref: 'x',
    dangerouslySetInnerHTML: '<b>',
    'x"><script>': '1',
    'data-"onfocus': '1'
  }
  const seen = getAttributes({ attributes })
  t.same(Object.keys(seen).sort(), ['class', 'id', 'name', 'required', 'type'])
  t.match(seen, { id: 'input-field-for-own-provider', name: 'field', type: 'text', class: 'input' })
})

const expectations: readonly [name: string, type: string, expected: Record<string, string>][] = [
  ['password', 'password', { autocomplete: 'current-password', autocapitalize: 'none', spellcheck: 'false' }],
  ['username', 'text', { autocomplete: 'username', autocapitalize: 'none' }],
  ['email', 'text', { autocomplete: 'email', inputmode: 'email' }],
  ['address', 'email', { autocomplete: 'email', inputmode: 'email' }],
  ['otp', 'text', { autocomplete: 'one-time-code', inputmode: 'numeric' }]
]

for (const [name, type, expected] of expectations) {
  t.test(`the autocomplete of a field "${name}" of type ${type}`, async (t) => {
    t.match(getAttributes({ name, type }), expected)
  })
}

t.test('a type that is not a field becomes text', async (t) => {
  for (const type of ['submit', 'image', 'file', 'button', 'nonsense']) t.equal(getAttributes({ type })['type'], 'text')
  t.equal(getAttributes({ type: 'TEL' })['type'], 'tel')
})

t.test('a hidden field has no label, a checkbox is next to its label', async (t) => {
  const hidden = form({ type: 'hidden', attributes: { value: 'tenant-1' } })
  t.notOk(hidden.has('label'))
  t.equal(hidden.one('#input-field-for-own-provider').attributes['value'], 'tenant-1')
  const checkbox = form({ type: 'checkbox', attributes: { value: 'yes', checked: true } })
  t.ok(checkbox.has('.field-check'))
  t.match(checkbox.one('#input-field-for-own-provider').attributes, { type: 'checkbox', value: 'yes', checked: '' })
})

t.test('a field is required unless its attributes say otherwise; a checkbox is not', async (t) => {
  for (const type of ['text', 'password', 'email', 'tel', 'number', 'date'])
    t.ok('required' in getAttributes({ type }), type)
  for (const attributes of [{ required: false }, { Required: false }])
    t.notOk('required' in getAttributes({ attributes }))
  for (const type of ['checkbox', 'hidden', 'range', 'color']) t.notOk('required' in getAttributes({ type }), type)
})

const usernames: readonly [title: string, fields: readonly Partial<CredentialField>[], autocomplete: string][] = [
  [
    'an address',
    [
      { name: 'mail', type: 'email' },
      { name: 'secret', type: 'password' }
    ],
    'username'
  ],
  ['any name', [{ name: 'mail' }, { name: 'secret', type: 'Password' }], 'username'],
  ['an address without a password', [{ name: 'mail', type: 'email' }, { name: 'code' }], 'email'],
  [
    'one that is configured',
    [
      { name: 'mail', attributes: { autocomplete: 'section-a email' } },
      { name: 'secret', type: 'password' }
    ],
    'section-a email'
  ]
]

for (const [title, fields, autocomplete] of usernames) {
  t.test(`the autocomplete of the username: ${title}`, async (t) => {
    const all = fields.map((field) => ({ name: 'field', label: 'Field', type: 'text', attributes: {}, ...field }))
    const choice = { ...sample.credentials, id: 'own', fields: all, identifier: 'mail' }
    const dom = read(renderer.page({ ...sample.signIn, choices: [choice] }, context))
    t.equal(dom.one('#input-mail-for-own-provider').attributes['autocomplete'], autocomplete)
  })
}
