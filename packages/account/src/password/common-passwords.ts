// The 1,000 most frequent passwords of 8 characters or more, and all frequent ones of 12 or more, from data/passwords.txt
// of https://github.com/dropbox/zxcvbn (commit 67c4ece), which is ordered by frequency.
// Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.; MIT license.
const words = `
0.0.0.000 01011910 01011970 01011975 01011980 01011981 01011984 01011985 01011986 01011987 01011988 01011989
01011990 01011991 01011992 01011993 01012000 01012001 01012010 01012011 010203040506 01091989 012345678910
014702580369 01telemike01 02071982 02071986 03082006 050605rostik 10203040 102030405060 1029384756 11111111
1111111111zz 11112222 111222333 111222333000 111222333444555 11223344 1122334455 112233445566 11235813
1123581321 12131415 122333444455555 12312312 123123qweqwe 1232323q 123321123 123321456654 123321qweewq
12344321 123454321 1234554321 123456654321 12345677654321 12345678 123456782000 1234567887654321 123456789
1234567890 123456789000 12345678900987654321 1234567890987654321 1234567890q 1234567890qaz 1234567890qw
1234567890qwe 1234567890qwerty 1234567890zzz 12345678910 123456789101 123456789123 1234567892000
12345678987654321 123456789987654321 123456789a 123456789aaa 123456789abc 123456789asd 123456789q 123456789qaz
123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789z 123456789zxc 12345678a 12345678q 12345679
1234567a 1234567q 1234567qwertyu 123456aa 123456qwerty 123456zxcvbn 12345qwe 12345qwert 1234abcd 1234qwer
1234qwerasdf 1234qwerasdfzxcv 123654789 12369874 123698745 123789456 123ewqasdcxz 123qwe123 123qwe456rty
123qweasd 123qweasdzxc 123qwerty 123qwerty123 12qw34er 12qw34er56ty 12qwaszx 13243546 135792468 14725836
147258369 147852369 14789632 147896325 15426378 159753456852 18436572 192837465 193570356033 19411945
19960610ilja 1a2a3a4a5a6a 1a2b3c4d 1a2s3d4f5g6h 1passwor 1q2w3e4r 1q2w3e4r5 1q2w3e4r5t 1q2w3e4r5t6y 1qa2ws3ed
1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw2 1qazxsw23edc 1qazxsw23edcvfr4
1x2zkg8w 23176djivanfros 23wkoa0fp78dk 25802580 31217221027711 31415926 321654987 32615948worms 41d8cd98f00b
420842084208555 4815162342 4815162342lf 4815162342lost 541233432442 59382113kevinp 6215mila6215 73501505
741852963 742617000027 78945612 789456123 89063032220m 89231243658s 89876065093rax 89semtsriuty 8j4ye3uz
963852741 a1234567 a123456789 a1b2c3d4 a1s2d3f4 a1s2d3f4g5h6 aardvark abc12345 abc123456789 abcd1234 aberdeen
access14 achilles adgjmptw admin18533362 administrator adrienne agent007 airborne airforce airplane
aksjdlasdakj89879 albatros alejandr aleksandr aleksandra alexande alexander alexandr alexandra alliance
alpha135792468 alphabet amadeusptfcor america1 american amsterda amsterdam an83546921an13 anaconda anastasia
anderson andrewjackie andromeda angelica angelina anhyeuem antananarivu anthony1 anything anytimetoday
apollo13 apple123 applepie aquarius arsenal1 asdf1234 asdfasdf asdfgh123456 asdfghjk asdfghjkl asdfghjkl123
aspirine assassin asshole1 assholes atlantic atlantis attitude auckland2010 australi australia avalanch
avrillavigne azsxdcfv babyblue babydoll babyface babygirl babylon5 backdoor badiman28200 balloons barcelon
barcelona barefoot baseball basketba basketball beatrice beautiful beefcake benjamin bhrh0h2oof6xbqjeh
bigballs bigboobs bigdaddy bigmoney billybob billyboy birthday blackbir blackcat blackdog blackhaw blackjac
blackjack blackman blacksonblon blahblah blessing blink182 blizzard bltynbabrfwbz bluebird blueeyes bluemoon
bobafett bollocks bonehead bookworm boomboom boy4u2ownnyc bpgjldsgjldthnf bradford brandon1 brewster brighton
brittany broadway brooklyn brothers brucelee buckeyes buckshot budlight budweise bulldog1 bulldogs
bullnuts2003 bullseye bullshit bunghole business businessbabe butterfl butterfly butthead butthole cadillac
caliente californ california caligula callaway cambiami campbell canadian candyman cardinal carolina caroline
casanova catalina catherin catherine cavalier cdtnkfyf cerberus cfitymrf chainsaw champion chandler changeme
chargers charles1 charlie1 charlott charlotte charlton cheeseburger chelsea1 chemical cherokee chester1
chesterfield chevelle chevrole cheyenne chicago1 chicken1 chickens chickenwing101 children chocolat chocolate
chrisbln christia christian christie christin christina christine christmas christop christopher christopher1
chuckles cinnamon civilization cjdthitycndj cjkysirj clarence clarinet clevelan clifford clitoris cnfc35762209
cocacola colombia colorado coltrane columbia columbus combat123654 commando computer concrete configuratio
confused construction consumer contortionist cooldude corperfmonsy corvette cosmopolitan cosworth
counterstrike courtney cowboys1 crawford crazybab creampie creative cristina crjhgbjy crusader crystal1
danielle dannyboy darkness darkside darkstar davidson dbrnjhbz deadhead december deepthroat deeznuts deeznutz
defender deftones designer devildog devilmaycry4 dfktynbyf diamond1 diamonds dickhead dietcoke digital1
digitalprodu dilligaf dingdong dinosaur director discover dkflbckfd dkflbvbh dkflbvbhjdbx dkflbvbhjdyf
doberman dodgeram doghouse dolphins domainlock2005 doughboy downtown drowssap drpepper dthjybrf eastside
eatpussy edwardcullen einstein ekaterina electric elephant elizabet elizabeth emmanuel engineer enterpri
enterprise entertainment ericsson eternity excalibu explorer fatima753357 february federico fernando ferrari1
finalfantasy findaupair007 fireball firebird fishing1 fkmnthyfnbdf fktrcfylh fktrcfylhf fktrcfylhjdbx
fktrcfylhjdf fktrcfylhjdyf flamingo fletcher florence florida1 flounder flvbybcnhfnjh football football1
fordf150 foreveryoung formula1 francesc francois franklin freckles frederic frederiksberg freedom1 freepass
freeporn freeuser front242 frontier fuck_inside fuckface fucktheworld fuckthis fuckyou1 fuckyou2 fuckyoubitch
function fyfcnfcbz fynfyfyfhbde gabriell gandalf1 gangbang gangster garfield gargoyle gateway1 geronimo
gesperrt getmoney gfhfktkjuhfv gfhjkm123 gfhjkmgfhjkm ghbdtnbr ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649
ghjatccbjyfk ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj ghjcnjnfr ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt
ghtdtlvtldtl giovanni giuseppe gjkysqgbpltw gladiator gn56gn56 godfathe godfather godsmack godzilla goldberg
goldfish goldstar goldwing golfball goodluck goodtime gordon24 gotohell grateful greatone greenbay greenday
greenlantern gretchen gthtrfnbgjkt gtnhjpfdjlcr guardian guinness halflife hamilton handsome handyman hannibal
happy123 happyday hardcock hardcore hardrock harrison hastings hawaiian hawkeyes hayabusa hd764nw5d7e1vb1
hd764nw5d7e1vbv heather1 hedgehog hedimaptfcor heineken hellfire hello123 hellyeah hercules highland hollywoo
hollywood holyshit hongkong hoosiers hotpussy hotstuff hurrican hyperion iampurehaha2 icecream idontknow
ihateyou illusion iloveboobies ilovemyfamily ilovesex iloveyou immortal imperial infantry infiniti infinity
ingodwetrust installdevic installsqlst intelligence international internet intrepid intruder ipo54tj45uy856
isabella isabelle iseedeadpeople jackson1 james007 jamesbon jamesbond jamesbond007 japanese jasmine1 jeanette
jennifer jeremiah jessica1 johannes jonathan jordan23 josephphone7 juliette justdoit justinbieber juventus
kamikaze kangaroo karolina katerina kathleen kawasaki kcj9wx5n kentucky kenworth keyboard keystone killbill
kimberly kingfish kingkong kingston kittycat knickers kristina kristine ktjynsq40147 labrador lacrosse
lancelot lasvegas lawrence leavemealone leonardo lesbians letmein1 letmein2 lhbjkjubz2957704 lifehack lifetime
lightnin lightning lineage2 lionking liverpoo liverpool logitech lokomotiv lollipop lonestar lonewolf longhorn
lorraine lost4815162342 love777321777 loverboy lowrider luckydog lytdybrbdfvgbhf lytghjgtnhjdcr macdaddy
madeline madison1 magicman magnolia mailcreated5240 majestic makaveli mamapapa manchest manchester mandingo
maprchem56458 maradona marathon margaret margarita marianne mariners marino13 marlboro marshall martinez
maryjane maryland massimiliano masterbaiting masterbating masturbation matthew1 maurolarastefy maverick
mazafaka meatball meathead meatloaf mechanic medicine megadeth megapass megatron melissa1 meowmeow mercedes
meredith meridian mersedes metallic metallica mevefalkcakk michael1 michaela michaeljackson michelle michigan
microlab microsof microsoft midnight military minecraft minecraft123 minnesota_hp mistress mitchell mohammed
momsanaladventure monalisa moneyman mongoose monopoly monster1 montgom240 montreal moonlight morganstanley
morpheus morrison mortalkombat mortgage mortimer motherfucker motherlode motorola mountain msoracle32re
msorcloledbr multiplelo munchkin mushroom musicman mustang1 mustangs napoleon nathalie national ncc1701a
ncc1701d ncc1701e ne_e_pod_chehyl nebraska necronomicon needforspeed nemvxyheqdd5oqxyxyzi networkingpe
newcastl newproject2004 newyork1 nhbujyjvtnhbz nhecsyfujkjdt nhfdvfnjkju123 nhfycajhvths nicholas
nick1234-rem936 nightcrawler nintendo nokia6300 nondriversig november ntktdbpjh1994 nuttertools nwo4life
oblivion oklahoma olcrackmaster ontheoutside operator original overkill overlord p0015123 pa55w0rd pa55word
packers1 paintbal paintball pakistan panasoni panasonic panther1 panthers pantyhos paradise paraklast1974
pass1234 passport passw0rd passwor1 password password1 password123 password1234 password2 passwordassword
passwords passwordstandard passwort patricia patrick1 patriots pavilion peanutbutter pearljam peekaboo
penelope penguins penthous personal peterpan peterson pfqwtd27121988 philadelphia philippe phillies phillips
phoenix1 pianoman pineappl pingpong pinkfloy platinum playstation2 playstation3 playtime pleasure plymouth
poiuytrewq pokemon1 polniypizdec0211 polniypizdec1102 polniypizdec110211 poohbear poontang porkchop
pornographic pornstar porsche9 portland portugal poseidon positive precious predator presario princess
professional ptybnxtvgbjy punisher punkrock punksnotdead pussycat q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6
q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qawsedrf qawsedrftgyh qaz123wsx456 qazwsx12 qazwsx123
qazwsx123456 qazwsxed qazwsxedc qazwsxedc123 qazwsxedcrfv qazwsxedcrfvtgb qazxswedc qazxswedc123 qazxswedcvfr
qwaszxerdfcv qweasdzxc qweasdzxc123 qwer1234 qwerasdf qwerasdfzxcv qwert123 qwertasdfgzxcvb qwerty12 qwerty123
qwerty1234 qwerty12345 qwerty123456 qwerty123456789 qwertyasdfgh qwertyui qwertyuio qwertyuiop qwertyuiop10
qwertyuiop12 qwertyuiop123 qwertyuiop12345 qwertyytrewq r2d2c3po ragnarok raiders1 railroad raistlin rammstein
rangers1 rasputin rastaman realmadrid rebecca1 recovery redalert redskins redwings remember renegade research
resident residentevil rfnthbyf rfnthbyf1988 rhbcnbyf rhfcjnrf rhiannon richard1 richards richmond rightnow
rjirfrgbde rjycnfynby roadkill roadking roadrunn robinson robotech rockford rockhard rockstar rolltide
romashka ronaldinho10 rootbeer rosemary runescape rush2112 sailboat salamander salvador samantha samsung1
sandiego sanfrancisco santiago sapphire saratoga satan666 satisfaction saturday saun24865709 savannah
scandinavian scarface scarlett schoolgirlie scoobydo scooter1 scorpion scotland sdicmt7seytn seahawks sebastia
sebastian security seemnemaailm seinfeld seminole semperfi sentinel septembe september serenity sersolution
sexygirl shamrock shaney14 shannon1 sherlock sherwood shithead shopping showtime simpsons sinclair sithlord
skittles skorpion skywalke skywalker slapshot slipknot smeghead sneakers snickers snoopdog snowball snowboar
snuggles socrates softball software sojdlg123aljg solution somethin something sonnenschein sonyericsson
soso123aljg southern southpark spaceman spanking spartans specialinsta spectrum spiderma spiderman spitfire
splinter spongebob springer squirrel srinivas stallion standard starbuck starcraft stardust starfire starfish
stargate starship startrek starwars steelers stephani stephanie sterling stickdaddy77 stingray stinkyfinger
stocking stonecol stranger stratocaster stripper sundance sunflowe sunnyday sunshine super123 superfly
superman superman1 supernatural supersta superstar svetlana sweetpea swimming swingers swordfis swordfish
syncmaster syracuse systemofadown tacobell talisman tarheels tazmania technics temppassword terminal
terminator terrapin test1234 thailand thanatos thankyou thecakeisalie thegreat theodore thirteen thompson
thuglife thunder1 thursday tiberius ticketmaster tinkerbell titanium titleist together tommyboy tomorrow
tottenha transformers translator traveler treasure trfnthbyf triangle trinidad trombone truelove trustno1
tunafish turkey50 twilight ultimate umbrella unbelievable underdog undertaker universe usuckballz1 vacation
valencia valentin valentina valhalla vanhalen vanyarespekt verbatim veronica veronika vfhbyfvfhbyf vfhufhbnf
vfrcbvrf vfrcbvvfrcbv vfvfgfgf vfvfvskfhfve victoria viewsonic viktoria virginia vkontakte vladimir
vladimirovna vladislav warcraft warhammer warhammer40k warriors waterloo wazzkaprivet webmaster websolutions
websolutionssu webuivalidat weihnachtsbau weihnachtsbaum welcome1 werewolf westside westwood wetpussy whatever
whiskers whitesox whocares whosyourdaddy wildcats wildfire william1 williams winston1 wolfgang wolfpack
wolverin wolverine woofwoof wordpass wrangler wrestlin wrestling wrinkle1 xxxp455w0rd5 yankees1 yosemite
z1x2c3v4b5n6 z1x2c3v4b5n6m7 zaq12wsx zaq12wsxcde3 zaq1xsw2 zaq1xsw2cde3 zaqwsxcderfv zcfvfzkexifz zeppelin
zerocool zqjphsyf6ctifgu zxasqw12 zxcasdqwe zxcasdqwe123 zxcv1234 zxcvbn123456 zxcvbnm1 zxcvbnm123456789
zxcvbnmmnbvcxz
`

/** Common passwords, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(words.trim().split(/\s+/))
