import { renderToStaticMarkup } from 'react-dom/server'
import t from 'tap'
import { Field } from '../../src/parts/field.tsx'
import { hasProblem, Notice } from '../../src/parts/notice.tsx'

const explanation = { text: 'It did not work.', next: 'Try again.' }
const problem = <Notice tone="problem" explanation={explanation} />
const field = { id: 'name', label: 'Name', hint: 'At most 100 letters', isExplained: false, input: { name: 'name' } }

t.test('a page says that something went wrong if a reader sees it', async (t) => {
  t.ok(hasProblem(renderToStaticMarkup(problem)))
  t.ok(hasProblem(renderToStaticMarkup(<Field {...field} isWrong={true} />)))
  t.notOk(hasProblem(renderToStaticMarkup(<Field {...field} isWrong={false} />)))
  for (const tone of ['calm', 'success'] as const)
    t.notOk(hasProblem(renderToStaticMarkup(<Notice tone={tone} explanation={explanation} />)), tone)
  const template = renderToStaticMarkup(
    <main>
      <template>{problem}</template>
      <template>{problem}</template>
    </main>
  )
  t.notOk(hasProblem(template), 'a script may show it later')
  t.ok(hasProblem(template + renderToStaticMarkup(problem)))
})

t.test('the error of a field keeps its hint, has an icon, and describes the input', async (t) => {
  const html = renderToStaticMarkup(<Field {...field} isWrong={true} error="Enter a name." />)
  t.match(html, 'aria-describedby="name-error name-hint"')
  t.match(
    html,
    /<p class="field-error" id="name-error"><svg class="notice-icon".*<\/svg><bdi>Enter a name\.<\/bdi><\/p>/
  )
  t.match(html, '<p class="hint" id="name-hint"><bdi>At most 100 letters</bdi></p>')
})
