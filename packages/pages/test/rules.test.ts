import type { BuiltInPage } from '@postern/core'
import { findBrokenRules } from '@postern/testkit/screen-rules'
import t from 'tap'
import { renderer } from '../src/index.ts'
import { screens } from './browser/screens.ts'
import * as sample from './samples.ts'

const support = 'mailto:help@example.com'
const context = sample.createPageContext({ links: { support } })

const all: readonly (readonly [string, BuiltInPage])[] = [
  ...Object.entries(screens),
  ...sample.pages.map((page, at) => [`${page.name} ${at}`, page] as const)
].flatMap(([name, page]) => (page.name === 'feature' ? [] : [[name, page] as const]))

t.test('every screen has at most one primary button, a next step, a way out, and says what went wrong', async (t) => {
  for (const [name, page] of all) {
    const isStart = page.name === 'signin' && !page.stepUp && !page.signOutUrl
    t.same(findBrokenRules(renderer.page(page, context), { isStart, support }), [], name)
  }
})
