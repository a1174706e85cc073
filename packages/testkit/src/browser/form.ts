import type { HTMLElement } from 'node-html-parser'
import type { BrowserResponse } from './response.ts'

/** A filled-in form, ready to be submitted. */
export interface FilledForm {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly fields: URLSearchParams
}

/**
 * Fills in a form of a page, as a user who presses its button.
 *
 * @param target - The form's action (a path or a URL), or a CSS selector of the form or of one of its buttons.
 * @param values - By field name. A name that the form does not have throws: a user could not fill it in either.
 */
export function fillForm(page: BrowserResponse, target: string, values: Readonly<Record<string, string>>): FilledForm {
  const document = page.html()
  const element = findOne(document, target, page.url)
  const form = findOwner(document, element)
  if (!form) throw new Error(`browser: expected ${target} at ${page.url} to belong to a form`)
  const controls = document.querySelectorAll('button, input, select, textarea')
  const own = controls.filter((control) => !control.hasAttribute('disabled') && findOwner(document, control) === form)
  const fields = readFields(own)
  for (const [name, value] of Object.entries(values)) {
    if (!own.some((field) => isField(field) && field.getAttribute('name') === name)) {
      throw new Error(`browser: the form ${target} of ${page.url} has no field ${name}`)
    }
    fields.set(name, value)
  }
  const button = isButton(element) ? element : own.find(isButton)
  const name = button?.getAttribute('name')
  if (name) fields.append(name, button?.getAttribute('value') ?? '')
  const enctype = form.getAttribute('enctype') ?? 'application/x-www-form-urlencoded'
  if (enctype !== 'application/x-www-form-urlencoded') throw new Error(`browser: the form ${target} wants ${enctype}`)
  const action = button?.getAttribute('formaction') ?? form.getAttribute('action')
  return {
    method: form.getAttribute('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    url: new URL(action || page.url, page.url),
    fields
  }
}

function findOne(document: HTMLElement, target: string, url: string): HTMLElement {
  const found = /^(\/|https?:)/.test(target) ? findSentTo(document, target, url) : document.querySelectorAll(target)
  const [element] = found
  if (!element) throw new Error(`browser: expected a form ${target} at ${url}, found none`)
  if (found.length > 1) throw new Error(`browser: expected one form ${target} at ${url}, found ${found.length}`)
  return element
}

/** The forms with an action, or else the buttons that send their form there. */
function findSentTo(document: HTMLElement, target: string, url: string): readonly HTMLElement[] {
  const forms = document.querySelectorAll('form').filter((form) => isSentTo(form.getAttribute('action'), target, url))
  if (forms.length > 0) return forms
  const buttons = document.querySelectorAll('[formaction]')
  return buttons.filter((button) => isSentTo(button.getAttribute('formaction'), target, url))
}

function isSentTo(to: string | undefined, target: string, base: string): boolean {
  const action = new URL(to || base, base)
  const requested = new URL(target, base)
  return (
    action.href === requested.href || (requested.search === '' && action.origin + action.pathname === requested.href)
  )
}

/** The form of an element: the one that its `form` attribute names, or else its ancestor. */
function findOwner(document: HTMLElement, element: HTMLElement): HTMLElement | null {
  const id = element.getAttribute('form')
  return id === undefined ? element.closest('form') : document.getElementById(id)
}

function isField({ tagName }: HTMLElement): boolean {
  return tagName !== 'BUTTON'
}

function isButton(element: HTMLElement): boolean {
  const type = element.getAttribute('type')?.toLowerCase()
  if (element.tagName === 'BUTTON') return type === undefined || type === 'submit'
  return element.tagName === 'INPUT' && (type === 'submit' || type === 'image')
}

function readFields(controls: readonly HTMLElement[]): URLSearchParams {
  const fields = new URLSearchParams()
  for (const control of controls) {
    const name = control.getAttribute('name')
    const value = readValue(control)
    if (name && value !== null) fields.append(name, value)
  }
  return fields
}

/** The value that a control submits by default, or `null` for none. */
function readValue(control: HTMLElement): string | null {
  if (control.tagName === 'BUTTON') return null
  if (control.tagName === 'TEXTAREA') return control.text
  if (control.tagName === 'SELECT') {
    const option = control.querySelector('option[selected]') ?? control.querySelector('option')
    return option?.getAttribute('value') ?? option?.text ?? null
  }
  const type = control.getAttribute('type')?.toLowerCase() ?? 'text'
  if (['submit', 'image', 'button', 'reset', 'file'].includes(type)) return null
  const isChoice = type === 'checkbox' || type === 'radio'
  if (isChoice && !control.hasAttribute('checked')) return null
  return control.getAttribute('value') ?? (isChoice ? 'on' : '')
}
