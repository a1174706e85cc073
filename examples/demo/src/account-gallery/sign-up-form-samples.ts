const field = { isRequired: true, options: null, hint: null, autocomplete: 'off', value: null, problem: null }

/** Fields that an application adds to a sign-up, with its texts in English alone. */
export const ownFields: readonly object[] = [
  { ...field, name: 'company', label: 'Company (legal name)', type: 'text', autocomplete: 'organization' },
  {
    ...{ ...field, name: 'country', label: 'Country', type: 'text', hint: 'Where do you pay taxes?' },
    options: [
      { value: 'at', label: 'Austria' },
      { value: 'eg', label: 'Egypt' }
    ]
  },
  { ...field, name: 'terms', label: 'I accept the terms of use.', type: 'checkbox' }
]

/** The same fields with what is wrong with them. */
export const wrongFields: readonly object[] = ownFields.map((own) => ({ ...own, problem: 'fieldInvalid' }))

/** The element of a captcha, whose script does not run here. */
export const captcha = { script: '#', attributes: { class: 'cf-turnstile', 'data-sitekey': 'key' } }
