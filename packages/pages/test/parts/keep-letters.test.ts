import t from 'tap'
import { createRenderer } from '../../src/index.ts'
import { keepLetters } from '../../src/parts/keep-letters.ts'
import { read } from '../dom.ts'
import * as sample from '../samples.ts'

const kept = (word: string): string => `<span class="word">${word}</span>`

t.test('a single letter stays with what its hyphen joins', async (t) => {
  t.equal(keepLetters('<p>E-Posta-Adresi</p>'), `<p>${kept('E-Posta')}-Adresi</p>`)
  t.equal(keepLetters('<p>l’e-posta, (e-postalar)</p>'), `<p>l’${kept('e-posta')}, (${kept('e-postalar')})</p>`)
})

t.test('nothing else is changed', async (t) => {
  for (const markup of [
    '<p>Authenticator-App, sign-in, 2-step, 4-e, A-1, a - b</p>',
    '<span class="word">E-Posta-Adresse</span>',
    '<title>E-Posta</title>',
    '<script src="/e-posta.js">e-posta</script>',
    '<style>.e-posta{}</style>',
    '<textarea>e-posta</textarea>',
    '<select><option>E-Posta</option></select>',
    '<input placeholder="E-Posta &gt; e-posta"/>',
    '<x-ray e-posta>',
    '<p>a &lt;b&gt; &amp;c</p>'
  ])
    t.equal(keepLetters(markup), markup)
})

t.test('it takes time that grows with the length alone', async (t) => {
  const start = performance.now()
  for (const hostile of ['<', '<title', '<title>', '<p "', "<p '", 'e-', '-e', '<script></title>'])
    keepLetters(hostile.repeat(200_000))
  t.ok(performance.now() - start < 10_000)
})

t.test('every screen in German has it', async (t) => {
  const renderer = await createRenderer({ languages: ['de'] })
  const dom = read(renderer.page(sample.verifyRequest, sample.createPageContext()))
  const words = dom.all('.word').map(({ text }) => text)
  t.ok(words.includes('E-Mail'))
  t.match(dom.one('main').text, 'E-Mail')
})
