import { cpuTime } from '@postern/testkit'
import t from 'tap'
import { parseCookies } from '../../src/cookies/parse.ts'

const cases: readonly (readonly [title: string, header: string | null | undefined, then: Record<string, string>])[] = [
  ['no header', undefined, {}],
  ['an empty header', '', {}],
  ['one cookie', 'a=1', { a: '1' }],
  ['several cookies', 'a=1; b=2;c=3', { a: '1', b: '2', c: '3' }],
  ['spaces and tabs around names and values', ' a \t= 1 ;\tb=2 ', { a: '1', b: '2' }],
  ['an empty value', 'a=; b=2', { a: '', b: '2' }],
  ['equals signs in a value', 'a=b=c==', { a: 'b=c==' }],
  ['a quoted value', 'a="1 2"', { a: '1 2' }],
  ['a single quote character', 'a="; b=2', { a: '', b: '2' }],
  ['an encoded value', 'a=%C3%A4%20%3B', { a: 'ä ;' }],
  ['a damaged encoding is left as it is', 'a=%; b=%E0%A4%A; c=%zz', { a: '%', b: '%E0%A4%A', c: '%zz' }],
  [
    'the first of several cookies with one name, two more aside',
    'a=1; a=2; a=3; a=4',
    { a: '1', 'a;2': '2', 'a;3': '3' }
  ],
  [
    'two applications below one host (spring-projects/spring-session#275)',
    'SESSION=eba15ac9-3fa6-40cb-8666-20bcc4b6bf22; SESSION=ddaa23ff-698b-4af4-9a89-285185bf1ef9',
    {
      SESSION: 'eba15ac9-3fa6-40cb-8666-20bcc4b6bf22',
      'SESSION;2': 'ddaa23ff-698b-4af4-9a89-285185bf1ef9'
    }
  ],
  [
    'the longer path first (the second example of the specification by Netscape)',
    'PART_NUMBER=RIDING_ROCKET_0023; PART_NUMBER=ROCKET_LAUNCHER_0001',
    { PART_NUMBER: 'RIDING_ROCKET_0023', 'PART_NUMBER;2': 'ROCKET_LAUNCHER_0001' }
  ],
  [
    'a domain and a domain below (eclipse-ee4j/jersey#3433)',
    'token=val1; token=val2',
    { token: 'val1', 'token;2': 'val2' }
  ],
  ['the first one even if it is empty', 'a=; a=2', { a: '', 'a;2': '2' }],
  ['text without an equals sign is not a cookie', 'a; b=2; c', { b: '2' }],
  ['a cookie without a name is none', '=1; a=2; =3;  =4', { a: '2' }],
  ['an equals sign belongs to its own part only', 'a; b=2=', { b: '2=' }],
  ['empty parts', ';;; a=1 ;; ', { a: '1' }],
  ['names that objects know', '__proto__=1; constructor=2', { ['__proto__']: '1', constructor: '2' }]
]

for (const [title, header, then] of cases) {
  t.test(title, async (t) => {
    t.same([...parseCookies(header)], Object.entries(then))
  })
}

t.test('a header of a megabyte is read in bounded time', async (t) => {
  const started = cpuTime()
  t.equal(parseCookies(`${'a=1; '.repeat(100_000)}${'b'.repeat(500_000)}`).size, 3)
  t.equal(parseCookies(';'.repeat(1_000_000)).size, 0)
  t.ok(cpuTime() - started < 2000)
})
