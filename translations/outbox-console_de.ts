<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>app::DocumentDesk</name>
    <message>
        <source>There is no connection to read it from.</source>
        <translation>Es gibt keine Verbindung, über die es zu lesen wäre.</translation>
    </message>
    <message>
        <source>Connect, then save again.</source>
        <translation>Verbinden Sie sich und sichern Sie dann noch einmal.</translation>
    </message>
</context>
<context>
    <name>app::Investigation</name>
    <message>
        <source>Trace</source>
        <translation>Verfolgen</translation>
    </message>
    <message>
        <source>Reconcile</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Ausführungen</translation>
    </message>
</context>
<context>
    <name>app::RetentionHost</name>
    <message>
        <source>Waiting for the connection.</source>
        <translation>Wartet auf die Verbindung.</translation>
    </message>
</context>
<context>
    <name>app::Watcher</name>
    <message>
        <source>No history is kept</source>
        <translation>Es wird kein Verlauf geführt</translation>
    </message>
    <message>
        <source>The local history was damaged and begins anew</source>
        <translation>Der lokale Verlauf war beschädigt und beginnt neu</translation>
    </message>
    <message>
        <source>The damaged file is kept as %1.</source>
        <translation>Die beschädigte Datei liegt nun unter %1.</translation>
    </message>
    <message>
        <source>The default rules are in force.</source>
        <translation>Es gelten die Standardregeln.</translation>
    </message>
    <message>
        <source>The address holds until the window closes.</source>
        <translation>Die Adresse gilt, bis das Fenster geschlossen wird.</translation>
    </message>
</context>
<context>
    <name>app::Window</name>
    <message>
        <source>Outbox Console</source>
        <translation>Outbox Console</translation>
    </message>
</context>
<context>
    <name>app::WindowController</name>
    <message>
        <source>Starting the sandbox…</source>
        <translation>Sandbox wird gestartet…</translation>
    </message>
    <message>
        <source>Events</source>
        <comment>heading of the navigation</comment>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Outbox</source>
        <translation>Outbox</translation>
    </message>
    <message>
        <source>Downstream</source>
        <comment>heading of the navigation</comment>
        <translation>Nachgelagert</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>Operate</source>
        <comment>heading of the navigation</comment>
        <translation>Betrieb</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>Dispatcher</translation>
    </message>
    <message>
        <source>Stopping the dispatcher…</source>
        <translation>Dispatcher wird gestoppt…</translation>
    </message>
    <message>
        <source>Asking the keyring for the passwords of %1…</source>
        <translation>Schlüsselbund wird nach den Passwörtern von %1 gefragt…</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Verbindung wird hergestellt</translation>
    </message>
    <message>
        <source>Waiting for the connection.</source>
        <translation>Wartet auf die Verbindung.</translation>
    </message>
    <message>
        <source>PostgreSQL –</source>
        <translation>PostgreSQL –</translation>
    </message>
    <message>
        <source>Redis –</source>
        <translation>Redis –</translation>
    </message>
    <message>
        <source>Oldest due –</source>
        <translation>Fällig seit –</translation>
    </message>
    <message>
        <source>The sandbox is starting.</source>
        <translation>Die Sandbox startet.</translation>
    </message>
    <message>
        <source>Redis %1</source>
        <translation>Redis %1</translation>
    </message>
    <message>
        <source>A setting in the environment cannot be used.</source>
        <translation>Eine Einstellung in der Umgebung ist unbrauchbar.</translation>
    </message>
    <message>
        <source>PostgreSQL unavailable</source>
        <translation>PostgreSQL nicht erreichbar</translation>
    </message>
    <message>
        <source>No outbox table</source>
        <translation>Keine Outbox-Tabelle</translation>
    </message>
    <message>
        <source>Oldest due unavailable</source>
        <translation>Fälligkeit unbekannt</translation>
    </message>
    <message>
        <source>Redis unavailable</source>
        <translation>Redis nicht erreichbar</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>PostgreSQL %1</source>
        <translation>PostgreSQL %1</translation>
    </message>
    <message>
        <source>%1 rows are due.</source>
        <translation>%1 Zeilen sind fällig.</translation>
    </message>
    <message>
        <source>Nothing due</source>
        <translation>Nichts fällig</translation>
    </message>
    <message>
        <source>Oldest due %1</source>
        <translation>Fällig seit %1</translation>
    </message>
    <message>
        <source>Dispatcher not running here</source>
        <translation>Dispatcher läuft hier nicht</translation>
    </message>
    <message>
        <source>Dispatcher starting</source>
        <translation>Dispatcher startet</translation>
    </message>
    <message>
        <source>Dispatcher running</source>
        <translation>Dispatcher läuft</translation>
    </message>
    <message>
        <source>Dispatcher recovering</source>
        <translation>Dispatcher im Wiederanlauf</translation>
    </message>
    <message>
        <source>Dispatcher stopping</source>
        <translation>Dispatcher stoppt</translation>
    </message>
    <message>
        <source>Now</source>
        <comment>heading of the navigation</comment>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Alerts</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>This window asks: %1 statements/s, %2 commands/s</source>
        <translation>Dieses Fenster fragt: %1 Anweisungen/s, %2 Befehle/s</translation>
    </message>
    <message>
        <source>Measured over the last %1.</source>
        <translation>Gemessen über die letzten %1.</translation>
    </message>
    <message>
        <source>PostgreSQL: %1 statements a second, answered within %2 ms of each second in all.</source>
        <translation>PostgreSQL: %1 Anweisungen je Sekunde, beantwortet in zusammen %2 ms jeder Sekunde.</translation>
    </message>
    <message>
        <source>Redis: %1 commands a second, answered within %2 ms of each second in all.</source>
        <translation>Redis: %1 Befehle je Sekunde, beantwortet in zusammen %2 ms jeder Sekunde.</translation>
    </message>
    <message>
        <source>The times include the way there and back, so the servers work less than that. Hidden, minimised or paused the window asks nothing, unless alerts are to be watched all the same.</source>
        <translation>Die Zeiten schließen Hin- und Rückweg ein, die Server arbeiten also kürzer. Verborgen, minimiert oder angehalten fragt das Fenster nichts, außer wenn Alarme trotzdem überwacht werden sollen.</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::Enqueuer</name>
    <message>
        <source>BullMQ cannot take a job with the id &quot;%1&quot;.</source>
        <translation>BullMQ kann keinen Job mit der ID &quot;%1&quot; annehmen.</translation>
    </message>
    <message>
        <source>Change the job id template.</source>
        <translation>Die Vorlage für die Job-ID ändern.</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::Inspector</name>
    <message>
        <source>The key %1 cannot be read: %2</source>
        <translation>Der Schlüssel %1 ist nicht lesbar: %2</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::JobReader</name>
    <message>
        <source>A page of jobs begins at 0 or later and has 1 to 1000 jobs.</source>
        <translation>Eine Seite Jobs beginnt bei 0 oder später und hat 1 bis 1000 Jobs.</translation>
    </message>
    <message>
        <source>Job %1 is not in queue %2.</source>
        <translation>Job %1 ist nicht in der Queue %2.</translation>
    </message>
    <message>
        <source>It was never added, or it is gone: removed when it finished, by a clean-up or by hand.</source>
        <translation>Er wurde nie hinzugefügt, oder er ist weg: beim Abschluss, durch ein Aufräumen oder von Hand entfernt.</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::JobWindow</name>
    <message>
        <source>The key %1 cannot be read: %2</source>
        <translation>Der Schlüssel %1 ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>Something other than BullMQ wrote this key; look at it with redis-cli.</source>
        <translation>Etwas anderes als BullMQ hat diesen Schlüssel geschrieben; mit redis-cli ansehen.</translation>
    </message>
    <message>
        <source>There is no list of jobs in an unknown state.</source>
        <translation>Für einen unbekannten Zustand gibt es keine Liste von Jobs.</translation>
    </message>
</context>
<context>
    <name>engine::bullmq::ServerPolicy</name>
    <message>
        <source>Redis at %1 may evict keys (maxmemory-policy is %2), and with them jobs.</source>
        <translation>Redis unter %1 kann Schlüssel verdrängen (maxmemory-policy ist %2), und mit ihnen Jobs.</translation>
    </message>
    <message>
        <source>Set it with: redis-cli CONFIG SET maxmemory-policy noeviction.</source>
        <translation>Setzen mit: redis-cli CONFIG SET maxmemory-policy noeviction.</translation>
    </message>
</context>
<context>
    <name>engine::config::DispatcherSettings</name>
    <message>
        <source>Pause between looks at the table when nothing is due, in ms</source>
        <translation>Pause zwischen zwei Blicken in die Tabelle, wenn nichts fällig ist, in ms</translation>
    </message>
    <message>
        <source>Most rows claimed at once</source>
        <translation>Höchstzahl auf einmal beanspruchter Zeilen</translation>
    </message>
    <message>
        <source>Most claimed events in flight to their destinations at once</source>
        <translation>Höchstzahl beanspruchter Ereignisse, die gleichzeitig zu ihren Zielen unterwegs sind</translation>
    </message>
    <message>
        <source>Retries before an event is a dead letter (event layout)</source>
        <translation>Wiederholungen, bevor ein Ereignis ein Dead Letter ist (Event-Layout)</translation>
    </message>
    <message>
        <source>Age at which handed-over rows may be removed, in hours</source>
        <translation>Alter, ab dem übergebene Zeilen entfernt werden dürfen, in Stunden</translation>
    </message>
    <message>
        <source>Most handed-over rows removed per run</source>
        <translation>Höchstzahl je Lauf entfernter übergebener Zeilen</translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;.</source>
        <translation>%1 ist &quot;%2&quot;.</translation>
    </message>
    <message>
        <source>It takes true or false.</source>
        <translation>Erlaubt ist true oder false.</translation>
    </message>
    <message>
        <source>It takes a whole number from %1 to %2.</source>
        <translation>Erlaubt ist eine ganze Zahl von %1 bis %2.</translation>
    </message>
    <message>
        <source>Dispatch from the start; otherwise only after an explicit start</source>
        <translation>Von Anfang an zustellen; sonst erst nach ausdrücklichem Start</translation>
    </message>
    <message>
        <source>adaptive: look more often while there is traffic; fixed: always the interval</source>
        <translation>adaptive: bei Verkehr öfter nachsehen; fixed: immer der Abstand</translation>
    </message>
    <message>
        <source>Events handed over one after the other: none, aggregate, tenant or payload:NAME</source>
        <translation>Ereignisse, die nacheinander übergeben werden: none, aggregate, tenant oder payload:NAME</translation>
    </message>
    <message>
        <source>What a dead event does to later ones of its order: hold them back, or be skipped</source>
        <translation>Was ein totes Ereignis mit späteren seiner Reihe macht: aufhalten (hold) oder übergangen werden (skip)</translation>
    </message>
    <message>
        <source>It takes %1.</source>
        <translation>Möglich sind: %1.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::DailyRetention</name>
    <message>
        <source>Retention removed nothing: %1</source>
        <translation>Die Aufbewahrung hat nichts entfernt: %1</translation>
    </message>
    <message>
        <source>Retention is at work in another dispatcher; today&apos;s run is left to it.</source>
        <translation>In einem anderen Dispatcher läuft gerade die Aufbewahrung; der heutige Lauf bleibt ihm überlassen.</translation>
    </message>
    <message>
        <source>Retention removed %1 rows, the most one run may remove; there may be more (OUTBOX_DONE_RETENTION_BATCH_SIZE).</source>
        <translation>Die Aufbewahrung hat %1 Zeilen entfernt, so viele, wie ein Lauf entfernen darf; es kann mehr geben (OUTBOX_DONE_RETENTION_BATCH_SIZE).</translation>
    </message>
    <message>
        <source>Retention removed rows: %1.</source>
        <translation>Von der Aufbewahrung entfernte Zeilen: %1.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::DispatchLoop</name>
    <message>
        <source>The grace time is over; rows that stay claimed until their lease ends: %1.</source>
        <translation>Die Nachfrist ist vorbei; Zeilen, die bis zum Ende ihrer Lease beansprucht bleiben: %1.</translation>
    </message>
    <message>
        <source>Started on %1, handing over to the queues at %2.</source>
        <translation>Gestartet auf %1, übergibt an die Queues unter %2.</translation>
    </message>
    <message>
        <source>No route takes the event type %1.</source>
        <translation>Keine Route nimmt den Ereignistyp %1.</translation>
    </message>
    <message>
        <source>Rows settled too late, so that nothing was changed: %1.</source>
        <translation>Zu spät abgeschlossene Zeilen, an denen nichts geändert wurde: %1.</translation>
    </message>
    <message>
        <source>New dead letters: %1.</source>
        <translation>Neue Dead Letters: %1.</translation>
    </message>
    <message>
        <source>Trying again.</source>
        <translation>Neuer Versuch.</translation>
    </message>
    <message>
        <source>Stopping: no new claims, what is in flight is settled.</source>
        <translation>Stoppt: Nichts Neues wird beansprucht, was unterwegs ist, wird abgeschlossen.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Gestoppt.</translation>
    </message>
    <message>
        <source>Handed over: %1, of which %2 had their job already.</source>
        <translation>Übergeben: %1, davon hatten %2 ihren Job bereits.</translation>
    </message>
    <message>
        <source>Handed over: %1.</source>
        <translation>Übergeben: %1.</translation>
    </message>
    <message>
        <source>Rows that somebody else has taken over before they were handed over: %1.</source>
        <translation>Zeilen, die ein anderer übernommen hat, bevor sie übergeben waren: %1.</translation>
    </message>
    <message>
        <source>A lease could not be renewed: %1</source>
        <translation>Eine Frist konnte nicht verlängert werden: %1</translation>
    </message>
    <message>
        <source>The database is reached through a pooler, which keeps notifications to itself: new rows are found by looking.</source>
        <translation>Die Datenbank wird über einen Pooler erreicht, der Benachrichtigungen für sich behält: neue Zeilen werden durch Nachsehen gefunden.</translation>
    </message>
    <message>
        <source>The row %1 cannot be claimed and is left alone for a while: %2</source>
        <translation>Die Zeile %1 kann nicht übernommen werden und bleibt eine Weile liegen: %2</translation>
    </message>
    <message>
        <source>The outcome of row %1 cannot be stored; it stays claimed until its lease ends: %2</source>
        <translation>Das Ergebnis der Zeile %1 kann nicht gespeichert werden; sie bleibt bis zum Ende ihrer Frist übernommen: %2</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::Dispatcher</name>
    <message>
        <source>No route takes the event type %1.</source>
        <translation>Keine Route nimmt den Ereignistyp %1.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::QueueDestination</name>
    <message>
        <source>The job id template &quot;%1&quot; does not hold {id} once.</source>
        <translation>Die Vorlage &quot;%1&quot; für die Job-ID enthält {id} nicht genau einmal.</translation>
    </message>
    <message>
        <source>The usual one is outbox:{id}.</source>
        <translation>Üblich ist outbox:{id}.</translation>
    </message>
    <message>
        <source>The payload is not JSON: %1, at byte %2.</source>
        <translation>Die Payload ist kein JSON: %1, bei Byte %2.</translation>
    </message>
    <message>
        <source>No worker could read it; correct the row and requeue it.</source>
        <translation>Kein Worker könnte sie lesen; die Zeile berichtigen und erneut einreihen.</translation>
    </message>
    <message>
        <source>The job&apos;s key in queue %1 holds something that is no job.</source>
        <translation>Der Schlüssel des Jobs in der Queue %1 enthält etwas, das kein Job ist.</translation>
    </message>
    <message>
        <source>The payload has %1 MB; more than %2 MB are not handed over.</source>
        <translation>Die Nutzdaten haben %1 MB; mehr als %2 MB werden nicht übergeben.</translation>
    </message>
    <message>
        <source>Store the content elsewhere and put its address into the event.</source>
        <translation>Legen Sie den Inhalt anderswo ab und nehmen Sie seine Adresse in das Ereignis auf.</translation>
    </message>
    <message>
        <source>The metadata is not JSON: %1, at byte %2.</source>
        <translation>Die Metadaten sind kein JSON: %1, bei Byte %2.</translation>
    </message>
</context>
<context>
    <name>engine::dispatch::Router</name>
    <message>
        <source>The routes file %1 cannot be read: %2.</source>
        <translation>Die Routendatei %1 ist nicht lesbar: %2.</translation>
    </message>
    <message>
        <source>It looks like {&quot;routes&quot;: [{&quot;prefix&quot;: &quot;mail.&quot;, &quot;queue&quot;: &quot;outbox.mail&quot;}]}.</source>
        <translation>Sie sieht so aus: {&quot;routes&quot;: [{&quot;prefix&quot;: &quot;mail.&quot;, &quot;queue&quot;: &quot;outbox.mail&quot;}]}.</translation>
    </message>
    <message>
        <source>The routes file %1 is not JSON: %2 at byte %3.</source>
        <translation>Die Routendatei %1 ist kein JSON: %2 bei Byte %3.</translation>
    </message>
    <message>
        <source>The routes file %1 has the prefix &quot;%2&quot;.</source>
        <translation>Die Routendatei %1 hat das Präfix &quot;%2&quot;.</translation>
    </message>
    <message>
        <source>A prefix is lower-case words, each followed by a dot.</source>
        <translation>Ein Präfix besteht aus kleingeschriebenen Wörtern, jedes gefolgt von einem Punkt.</translation>
    </message>
    <message>
        <source>The routes file %1 names no queue for &quot;%2&quot;.</source>
        <translation>Die Routendatei %1 nennt keine Queue für &quot;%2&quot;.</translation>
    </message>
    <message>
        <source>The routes file %1 holds no routes.</source>
        <translation>Die Routendatei %1 enthält keine Routen.</translation>
    </message>
</context>
<context>
    <name>engine::history::HistoryStore</name>
    <message>
        <source>The local history %1 cannot be opened: %2</source>
        <translation>Der lokale Verlauf %1 lässt sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>Charts will not survive a restart until the file can be written.</source>
        <translation>Bis die Datei beschreibbar ist, überdauern Diagramme keinen Neustart.</translation>
    </message>
    <message>
        <source>The local history %1 cannot be read: %2</source>
        <translation>Der lokale Verlauf %1 lässt sich nicht lesen: %2</translation>
    </message>
    <message>
        <source>A newer version of the console made the local history %1; this one leaves it alone.</source>
        <translation>Den lokalen Verlauf %1 hat eine neuere Version der Konsole angelegt; diese lässt ihn unberührt.</translation>
    </message>
    <message>
        <source>The local history %1 cannot be written: %2</source>
        <translation>Der lokale Verlauf %1 lässt sich nicht schreiben: %2</translation>
    </message>
</context>
<context>
    <name>engine::notify::DesktopChannel</name>
    <message>
        <source>This desktop shows no notifications.</source>
        <translation>Diese Arbeitsumgebung zeigt keine Benachrichtigungen.</translation>
    </message>
    <message>
        <source>Outbox Console</source>
        <translation>Outbox Console</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>engine::notify::HttpPost</name>
    <message>
        <source>%1 cannot be reached: %2</source>
        <translation>%1 ist nicht erreichbar: %2</translation>
    </message>
    <message>
        <source>Check the address, and whether this machine may connect to it.</source>
        <translation>Prüfen Sie die Adresse und ob dieser Rechner sie erreichen darf.</translation>
    </message>
    <message>
        <source>%1 answered with status %2.</source>
        <translation>%1 antwortete mit Status %2.</translation>
    </message>
    <message>
        <source>It wants to redirect; give the final address.</source>
        <translation>Es folgt eine Weiterleitung; geben Sie die endgültige Adresse an.</translation>
    </message>
    <message>
        <source>Check the address and its key.</source>
        <translation>Prüfen Sie die Adresse und ihren Schlüssel.</translation>
    </message>
</context>
<context>
    <name>engine::notify::Notice</name>
    <message>
        <source>Over: %1</source>
        <translation>Vorbei: %1</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <comment>headline, connection</comment>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>Test of the notifications</source>
        <translation>Test der Benachrichtigungen</translation>
    </message>
    <message>
        <source>Somebody pressed “Send a test” in Outbox Console. Nothing is wrong.</source>
        <translation>Jemand hat in Outbox Console „Test senden“ gewählt. Es ist nichts passiert.</translation>
    </message>
</context>
<context>
    <name>engine::notify::Notifier</name>
    <message>
        <source>Shown by the desktop.</source>
        <translation>Von der Arbeitsumgebung angezeigt.</translation>
    </message>
    <message>
        <source>The desktop&apos;s notification service is absent; shown in the system tray if there is one.</source>
        <translation>Der Benachrichtigungsdienst der Arbeitsumgebung fehlt; angezeigt im Infobereich, sofern es einen gibt.</translation>
    </message>
    <message>
        <source>The webhook&apos;s address has to begin with https:// or http://.</source>
        <translation>Die Adresse des Webhooks muss mit https:// oder http:// beginnen.</translation>
    </message>
    <message>
        <source>(%1 attempts)</source>
        <translation>(%1 Versuche)</translation>
    </message>
    <message>
        <source>Taken with status %1.</source>
        <translation>Angenommen mit Status %1.</translation>
    </message>
</context>
<context>
    <name>engine::notify::Sentry</name>
    <message>
        <source>This is no Sentry DSN.</source>
        <translation>Das ist keine Sentry-DSN.</translation>
    </message>
    <message>
        <source>It looks like https://KEY@HOST/PROJECT; copy it from the project&apos;s settings.</source>
        <translation>Sie sieht aus wie https://KEY@HOST/PROJECT und steht in den Einstellungen des Projekts.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Discovery</name>
    <message>
        <source>&quot;%1&quot; is no table name.</source>
        <translation>&quot;%1&quot; ist kein Tabellenname.</translation>
    </message>
    <message>
        <source>Write it as table or schema.table, with double quotes where a name holds a dot.</source>
        <translation>Als table oder schema.table schreiben, mit doppelten Anführungszeichen, wenn ein Name einen Punkt enthält.</translation>
    </message>
    <message>
        <source>%1 layout lacks: %2</source>
        <translation>%1-Layout, es fehlt: %2</translation>
    </message>
    <message>
        <source>%1 tables fit an outbox layout: %2.</source>
        <translation>%1 Tabellen passen zu einem Outbox-Layout: %2.</translation>
    </message>
    <message>
        <source>Choose one: in the connection&apos;s Table field, or with --table &apos;%1&apos; in a terminal.</source>
        <translation>Eine wählen: im Feld „Tabelle“ der Verbindung oder mit --table &apos;%1&apos; im Terminal.</translation>
    </message>
    <message>
        <source>There is no table %1 in this database.</source>
        <translation>Es gibt keine Tabelle %1 in dieser Datenbank.</translation>
    </message>
    <message>
        <source>Check the name, or create it with: outbox-console schema apply.</source>
        <translation>Den Namen prüfen oder sie anlegen mit: outbox-console schema apply.</translation>
    </message>
    <message>
        <source>See both layouts with: outbox-console schema print.</source>
        <translation>Beide Layouts zeigt: outbox-console schema print.</translation>
    </message>
    <message>
        <source>No table fits an outbox layout; nearest is %1 (%2).</source>
        <translation>Keine Tabelle passt zu einem Outbox-Layout; am nächsten kommt %1 (%2).</translation>
    </message>
    <message>
        <source>This database has no outbox table.</source>
        <translation>Diese Datenbank hat keine Outbox-Tabelle.</translation>
    </message>
    <message>
        <source>Create one with: outbox-console schema apply.</source>
        <translation>Eine anlegen mit: outbox-console schema apply.</translation>
    </message>
    <message>
        <source>column %1 is of type %2</source>
        <translation>Spalte %1 ist vom Typ %2</translation>
    </message>
    <message>
        <source>column %1 is generated</source>
        <translation>Spalte %1 wird berechnet</translation>
    </message>
    <message>
        <source>column %1 is not a key of its own (NOT NULL and unique)</source>
        <translation>Spalte %1 ist kein eigener Schlüssel (NOT NULL und eindeutig)</translation>
    </message>
    <message>
        <source>its status has no value %1</source>
        <translation>ihr Status kennt den Wert %1 nicht</translation>
    </message>
    <message>
        <source>%1 layout: %2</source>
        <translation>Layout %1: %2</translation>
    </message>
    <message>
        <source>%1 is a partition.</source>
        <translation>%1 ist eine Partition.</translation>
    </message>
    <message>
        <source>Name the table that it is a part of.</source>
        <translation>Nennen Sie die Tabelle, zu der sie gehört.</translation>
    </message>
    <message>
        <source>%1 is a view or a foreign table.</source>
        <translation>%1 ist eine Sicht oder eine fremde Tabelle.</translation>
    </message>
    <message>
        <source>Name the table behind it: rows can only be claimed there.</source>
        <translation>Nennen Sie die Tabelle dahinter: Nur dort lassen sich Zeilen übernehmen.</translation>
    </message>
    <message>
        <source>The table %1 fits no outbox layout (%2).</source>
        <translation>Die Tabelle %1 passt zu keinem Outbox-Layout (%2).</translation>
    </message>
</context>
<context>
    <name>engine::outbox::EventType</name>
    <message>
        <source>&quot;%1&quot; is no event type.</source>
        <translation>&quot;%1&quot; ist kein Ereignistyp.</translation>
    </message>
    <message>
        <source>An event type is lower-case and has at least two words joined by dots, for instance billing.subscription.updated.</source>
        <translation>Ein Ereignistyp ist kleingeschrieben und hat mindestens zwei durch Punkte verbundene Wörter, zum Beispiel billing.subscription.updated.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::OrderRule</name>
    <message>
        <source>&quot;%1&quot; names no member of the payload.</source>
        <translation>„%1“ nennt kein Feld der Nutzdaten.</translation>
    </message>
    <message>
        <source>Write payload:orderId, or payload:order.id for a member of a member.</source>
        <translation>Schreiben Sie payload:orderId, oder payload:order.id für ein Feld eines Feldes.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no order.</source>
        <translation>„%1“ ist keine Reihenfolge.</translation>
    </message>
    <message>
        <source>It takes none, aggregate, tenant, or payload:NAME.</source>
        <translation>Möglich sind none, aggregate, tenant oder payload:NAME.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; says not what a dead event does to its key.</source>
        <translation>„%1“ sagt nicht, was ein totes Ereignis mit seinem Schlüssel macht.</translation>
    </message>
    <message>
        <source>It takes hold or skip.</source>
        <translation>Möglich sind hold oder skip.</translation>
    </message>
    <message>
        <source>The table %1 has no aggregate columns.</source>
        <translation>Die Tabelle %1 hat keine Aggregat-Spalten.</translation>
    </message>
    <message>
        <source>Order by tenant or by a member of the payload instead.</source>
        <translation>Ordnen Sie stattdessen nach Mandant oder nach einem Feld der Nutzdaten.</translation>
    </message>
    <message>
        <source>The payload column of %1 holds text, not JSON, so it has no members to order by.</source>
        <translation>Die Nutzdaten-Spalte von %1 enthält Text, kein JSON, also keine Felder zum Ordnen.</translation>
    </message>
    <message>
        <source>Order by tenant, or change the column&apos;s type to jsonb.</source>
        <translation>Ordnen Sie nach Mandant, oder ändern Sie den Typ der Spalte in jsonb.</translation>
    </message>
    <message>
        <source>The table %1 does not say when its events were created.</source>
        <translation>Die Tabelle %1 sagt nicht, wann ihre Ereignisse entstanden sind.</translation>
    </message>
    <message>
        <source>Without that column no order can be kept.</source>
        <translation>Ohne diese Spalte kann keine Reihenfolge gehalten werden.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Publisher</name>
    <message>
        <source>The %1 is not JSON: %2, at line %3, column %4.</source>
        <translation>Kein gültiges JSON (%1): %2, in Zeile %3, Spalte %4.</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>The event has no tenant.</source>
        <translation>Das Ereignis hat keinen Mandanten.</translation>
    </message>
    <message>
        <source>payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>The event holds a NUL byte.</source>
        <translation>Das Ereignis enthält ein NUL-Byte.</translation>
    </message>
    <message>
        <source>The delay is negative.</source>
        <translation>Die Verzögerung ist negativ.</translation>
    </message>
    <message>
        <source>The message layout has no dispatch key.</source>
        <translation>Das Message-Layout hat keinen Dispatch-Key.</translation>
    </message>
    <message>
        <source>Leave the key out, or choose a table of the event layout.</source>
        <translation>Den Key weglassen oder eine Tabelle mit Event-Layout wählen.</translation>
    </message>
    <message>
        <source>%1 has no unique index on its dispatch key, so the key would not keep a second event out.</source>
        <translation>%1 hat keinen eindeutigen Index auf dem Dispatch-Key; der Key würde ein zweites Ereignis also nicht verhindern.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for the index, or leave the key out.</source>
        <translation>Den Index vom Eigentümer der Tabelle anlegen lassen oder den Key weglassen.</translation>
    </message>
    <message>
        <source>metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>The dispatch key &quot;%1&quot; was taken by a row that is gone or not visible to this transaction.</source>
        <translation>Den Dispatch-Key &quot;%1&quot; belegt eine Zeile, die nicht mehr da oder für diese Transaktion nicht sichtbar ist.</translation>
    </message>
    <message>
        <source>Roll back and publish again.</source>
        <translation>Zurückrollen und erneut veröffentlichen.</translation>
    </message>
    <message>
        <source>%1 did not keep the event as it was written.</source>
        <translation>%1 hat das Ereignis nicht so behalten, wie es geschrieben wurde.</translation>
    </message>
    <message>
        <source>Look at the table&apos;s triggers and rules, and roll back.</source>
        <translation>Prüfen Sie die Trigger und Regeln der Tabelle, und machen Sie die Transaktion rückgängig.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Reader</name>
    <message>
        <source>%1 has no row with id %2 (any more).</source>
        <translation>%1 hat keine Zeile (mehr) mit der ID %2.</translation>
    </message>
</context>
<context>
    <name>engine::outbox::Schema</name>
    <message>
        <source>No schema of this session&apos;s search path exists.</source>
        <translation>Kein Schema aus dem Suchpfad dieser Sitzung existiert.</translation>
    </message>
    <message>
        <source>Create one, or name one with ?options=-csearch_path%3Dname in the URL.</source>
        <translation>Eines anlegen oder in der URL mit ?options=-csearch_path%3Dname eines nennen.</translation>
    </message>
</context>
<context>
    <name>engine::payload::File</name>
    <message>
        <source>%1 could not be written: %2.</source>
        <translation>%1 ließ sich nicht schreiben: %2.</translation>
    </message>
    <message>
        <source>Nothing was saved. Make room or choose another folder, then save again.</source>
        <translation>Nichts wurde gesichert. Schaffen Sie Platz oder wählen Sie einen anderen Ordner und sichern Sie noch einmal.</translation>
    </message>
</context>
<context>
    <name>engine::redis::Client</name>
    <message>
        <source>It did not answer in time.</source>
        <translation>Keine Antwort innerhalb der Frist.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde geschlossen.</translation>
    </message>
    <message>
        <source>There is no connection.</source>
        <translation>Es besteht keine Verbindung.</translation>
    </message>
    <message>
        <source>It does not speak Redis&apos; protocol.</source>
        <translation>Die Gegenstelle spricht nicht das Redis-Protokoll.</translation>
    </message>
    <message>
        <source>Cannot connect to Redis at %1: %2</source>
        <translation>Keine Verbindung zu Redis unter %1: %2</translation>
    </message>
    <message>
        <source>Check host, port and password, and that the server runs.</source>
        <translation>Host, Port und Passwort prüfen und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The connection to Redis at %1 was lost: %2</source>
        <translation>Die Verbindung zu Redis unter %1 ging verloren: %2</translation>
    </message>
    <message>
        <source>Redis at %1 refused user name or password.</source>
        <translation>Redis unter %1 hat Benutzername oder Passwort abgelehnt.</translation>
    </message>
    <message>
        <source>Check both in the Redis URL; special characters are written as %XX.</source>
        <translation>Beides in der Redis-URL prüfen; Sonderzeichen werden als %XX geschrieben.</translation>
    </message>
    <message>
        <source>Redis at %1 does not permit this: %2</source>
        <translation>Redis unter %1 erlaubt das nicht: %2</translation>
    </message>
    <message>
        <source>Ask for the missing right in the server&apos;s ACL.</source>
        <translation>Um das fehlende Recht in der ACL des Servers bitten.</translation>
    </message>
    <message>
        <source>Redis at %1 cannot take this now: %2</source>
        <translation>Redis unter %1 kann das gerade nicht annehmen: %2</translation>
    </message>
    <message>
        <source>Redis at %1 answered with an error: %2</source>
        <translation>Redis unter %1 antwortete mit einem Fehler: %2</translation>
    </message>
</context>
<context>
    <name>engine::redis::Endpoint</name>
    <message>
        <source>Write it as redis://user:password@host:6379/0, rediss:// for TLS, or redis+unix:///path/to/socket.</source>
        <translation>Als redis://user:password@host:6379/0, rediss:// für TLS oder redis+unix:///path/to/socket schreiben.</translation>
    </message>
    <message>
        <source>The Redis URL is empty.</source>
        <translation>Die Redis-URL ist leer.</translation>
    </message>
    <message>
        <source>The Redis URL cannot be read.</source>
        <translation>Die Redis-URL ist nicht lesbar.</translation>
    </message>
    <message>
        <source>The Redis URL names no host.</source>
        <translation>Die Redis-URL nennt keinen Host.</translation>
    </message>
    <message>
        <source>The Redis URL names no socket path.</source>
        <translation>Die Redis-URL nennt keinen Socket-Pfad.</translation>
    </message>
    <message>
        <source>The Redis URL does not begin with redis:// or rediss://.</source>
        <translation>Die Redis-URL beginnt nicht mit redis:// oder rediss://.</translation>
    </message>
    <message>
        <source>The Redis URL names the database &quot;%1&quot;, which is no number.</source>
        <translation>Die Redis-URL nennt die Datenbank &quot;%1&quot;, das ist keine Zahl.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Account</name>
    <message>
        <source>There is no unprivileged user to run the sandbox&apos;s servers as.</source>
        <translation>Es gibt keinen unprivilegierten Benutzer, unter dem die Server der Sandbox laufen könnten.</translation>
    </message>
    <message>
        <source>Run the console as a normal user, or create the user &quot;postgres&quot;.</source>
        <translation>Die Konsole als normaler Benutzer starten oder den Benutzer &quot;postgres&quot; anlegen.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be prepared: %2.</source>
        <translation>Der Ordner %1 lässt sich nicht vorbereiten: %2.</translation>
    </message>
    <message>
        <source>Check the rights on it and the free space of its disk.</source>
        <translation>Die Rechte darauf und den freien Platz des Datenträgers prüfen.</translation>
    </message>
    <message>
        <source>%1 is not a folder of the user who runs the sandbox&apos;s servers.</source>
        <translation>%1 ist kein Ordner des Benutzers, unter dem die Server der Sandbox laufen.</translation>
    </message>
    <message>
        <source>Move it away, or choose another folder for the sandbox.</source>
        <translation>Ihn wegbewegen oder einen anderen Ordner für die Sandbox wählen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Folder</name>
    <message>
        <source>The sandbox&apos;s folder %1 cannot be used: %2.</source>
        <translation>Der Ordner %1 der Sandbox ist unbrauchbar: %2.</translation>
    </message>
    <message>
        <source>Check the rights on it and the free space of its disk, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Die Rechte darauf und den freien Platz des Datenträgers prüfen oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>it is a file</source>
        <translation>er ist eine Datei</translation>
    </message>
    <message>
        <source>The folder %1 belongs to another user.</source>
        <translation>Der Ordner %1 gehört einem anderen Benutzer.</translation>
    </message>
    <message>
        <source>Run the console as that user, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Die Konsole als dieser Benutzer starten oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>The folder %1 is not empty and was not made by Outbox Console, so it is left alone.</source>
        <translation>Der Ordner %1 ist nicht leer und stammt nicht von Outbox Console, er bleibt daher unberührt.</translation>
    </message>
    <message>
        <source>Move its content away, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Den Inhalt wegbewegen oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>The user %1, who runs the sandbox&apos;s servers, cannot enter %2.</source>
        <translation>Der Benutzer %1, unter dem die Server der Sandbox laufen, hat keinen Zugang zu %2.</translation>
    </message>
    <message>
        <source>Let others pass through the folders above it (chmod o+x), or run the console as a normal user.</source>
        <translation>Anderen den Durchgang durch die übergeordneten Ordner erlauben (chmod o+x) oder die Konsole als normaler Benutzer starten.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::FolderLock</name>
    <message>
        <source>The file %1 cannot be locked: %2.</source>
        <translation>Die Datei %1 lässt sich nicht sperren: %2.</translation>
    </message>
    <message>
        <source>Check the rights on it and the space on its disk.</source>
        <translation>Die Rechte darauf und den Platz auf dem Datenträger prüfen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::PostgresServer</name>
    <message>
        <source>No temporary file can be written: %1.</source>
        <translation>Temporäre Datei nicht schreibbar: %1.</translation>
    </message>
    <message>
        <source>Check the space on the disk of /tmp.</source>
        <translation>Den Platz auf dem Datenträger von /tmp prüfen.</translation>
    </message>
    <message>
        <source>Creating the database in %1 took too long.</source>
        <translation>Das Anlegen der Datenbank in %1 dauerte zu lange.</translation>
    </message>
    <message>
        <source>The disk may be very slow or hang; try another folder.</source>
        <translation>Der Datenträger ist vielleicht sehr langsam oder hängt; einen anderen Ordner versuchen.</translation>
    </message>
    <message>
        <source>The database in %1 could not be created: %2.</source>
        <translation>Die Datenbank in %1 konnte nicht angelegt werden: %2.</translation>
    </message>
    <message>
        <source>Check the folder&apos;s rights and the space on its disk; the log is %1.</source>
        <translation>Die Rechte des Ordners und den Platz auf dem Datenträger prüfen; das Protokoll ist %1.</translation>
    </message>
    <message>
        <source>PostgreSQL ended while starting: %1.</source>
        <translation>PostgreSQL endete beim Start: %1.</translation>
    </message>
    <message>
        <source>PostgreSQL does not take connections.</source>
        <translation>PostgreSQL nimmt keine Verbindungen an.</translation>
    </message>
    <message>
        <source>The log is %1. To start afresh, move the folder %2 away.</source>
        <translation>Das Protokoll ist %1. Für einen Neuanfang den Ordner %2 wegbewegen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::RedisServer</name>
    <message>
        <source>Redis ended while starting: %1.</source>
        <translation>Redis endete beim Start: %1.</translation>
    </message>
    <message>
        <source>Redis does not answer: %1</source>
        <translation>Redis antwortet nicht: %1</translation>
    </message>
    <message>
        <source>The log is %1. To start afresh, move the folder %2 away.</source>
        <translation>Das Protokoll ist %1. Für einen Neuanfang den Ordner %2 wegbewegen.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::SampleData</name>
    <message>
        <source>%1 is missing in this program.</source>
        <translation>%1 fehlt in diesem Programm.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::Sandbox</name>
    <message>
        <source>The user %1, who runs the sandbox&apos;s servers, cannot enter %2; using %3.</source>
        <translation>Der Benutzer %1, unter dem die Server der Sandbox laufen, hat keinen Zugang zu %2; verwendet wird %3.</translation>
    </message>
    <message>
        <source>Waiting for another console that starts or stops the sandbox ...</source>
        <translation>Wartet auf eine andere Konsole, die die Sandbox startet oder stoppt ...</translation>
    </message>
    <message>
        <source>Another console (process %1) holds the sandbox in %2 and does not become ready.</source>
        <translation>Eine andere Konsole (Prozess %1) hält die Sandbox in %2 und wird nicht bereit.</translation>
    </message>
    <message>
        <source>End that process, then start again.</source>
        <translation>Diesen Prozess beenden, dann erneut starten.</translation>
    </message>
    <message>
        <source>The sandbox is not ready.</source>
        <translation>Die Sandbox ist nicht bereit.</translation>
    </message>
    <message>
        <source>Starting PostgreSQL and Redis ...</source>
        <translation>PostgreSQL und Redis werden gestartet ...</translation>
    </message>
    <message>
        <source>Ending a server that a killed console left behind (process %1) ...</source>
        <translation>Beendet einen Server, den eine abgebrochene Konsole hinterließ (Prozess %1) ...</translation>
    </message>
    <message>
        <source>The process %1 still runs on %2 and cannot be ended.</source>
        <translation>Der Prozess %1 läuft noch auf %2 und lässt sich nicht beenden.</translation>
    </message>
    <message>
        <source>End it, then start again.</source>
        <translation>Ihn beenden, dann erneut starten.</translation>
    </message>
    <message>
        <source>The sandbox&apos;s data are of PostgreSQL %1, which is not installed (PostgreSQL %2 is).</source>
        <translation>Die Daten der Sandbox stammen von PostgreSQL %1, das nicht installiert ist (installiert ist PostgreSQL %2).</translation>
    </message>
    <message>
        <source>The sandbox&apos;s database is damaged.</source>
        <translation>Die Datenbank der Sandbox ist beschädigt.</translation>
    </message>
    <message>
        <source>There are only %1 MB free for the sandbox in %2; it needs %3 MB.</source>
        <translation>Für die Sandbox sind nur %1 MB in %2 frei; sie braucht %3 MB.</translation>
    </message>
    <message>
        <source>Free some space, or choose another place by setting XDG_DATA_HOME.</source>
        <translation>Platz schaffen oder mit XDG_DATA_HOME einen anderen Ort wählen.</translation>
    </message>
    <message>
        <source>Creating a private PostgreSQL %1 in %2 ...</source>
        <translation>Privates PostgreSQL %1 wird in %2 angelegt ...</translation>
    </message>
    <message>
        <source>%1 cannot be renamed.</source>
        <translation>%1 lässt sich nicht umbenennen.</translation>
    </message>
    <message>
        <source>Check the rights on its folder and the space on its disk.</source>
        <translation>Die Rechte des Ordners und den Platz auf dem Datenträger prüfen.</translation>
    </message>
    <message>
        <source>Move %1 away, then start again.</source>
        <translation>%1 wegbewegen, dann erneut starten.</translation>
    </message>
    <message>
        <source>They are kept in %1; a new database is made.</source>
        <translation>Die alten Daten bleiben in %1; eine neue Datenbank wird angelegt.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>%1 ist nicht schreibbar: %2.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::ServerProcess</name>
    <message>
        <source>%1 cannot be started: %2.</source>
        <translation>%1 lässt sich nicht starten: %2.</translation>
    </message>
    <message>
        <source>Check its rights, and that %1 can be written.</source>
        <translation>Die Rechte prüfen und ob %1 schreibbar ist.</translation>
    </message>
</context>
<context>
    <name>engine::sandbox::ServerPrograms</name>
    <message>
        <source>The sandbox needs the program %1, which is not installed.</source>
        <translation>Die Sandbox braucht das Programm %1, das nicht installiert ist.</translation>
    </message>
    <message>
        <source>Install Debian&apos;s package %1: sudo apt-get install --no-install-recommends %1</source>
        <translation>Das Debian-Paket %1 installieren: sudo apt-get install --no-install-recommends %1</translation>
    </message>
</context>
<context>
    <name>engine::secrets</name>
    <message>
        <source>Install and unlock a keyring (for instance gnome-keyring), or type the password each time.</source>
        <translation>Einen Schlüsselbund (zum Beispiel gnome-keyring) installieren und entsperren oder das Passwort jedes Mal eingeben.</translation>
    </message>
    <message>
        <source>The keyring reported an error.</source>
        <translation>Der Schlüsselbund meldete einen Fehler.</translation>
    </message>
    <message>
        <source>The keyring did not give access.</source>
        <translation>Der Schlüsselbund gab keinen Zugriff.</translation>
    </message>
    <message>
        <source>This desktop offers no keyring, so passwords cannot be saved.</source>
        <translation>Dieser Desktop bietet keinen Schlüsselbund, Passwörter lassen sich nicht speichern.</translation>
    </message>
</context>
<context>
    <name>engine::sql::Connection</name>
    <message>
        <source>There is not enough memory for a database connection.</source>
        <translation>Der Speicher reicht nicht für eine Datenbankverbindung.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 did not answer within %2 s.</source>
        <translation>PostgreSQL unter %1 antwortete nicht innerhalb von %2 s.</translation>
    </message>
    <message>
        <source>Check host, port and firewall, and that the server runs.</source>
        <translation>Host, Port und Firewall prüfen und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The connection to PostgreSQL at %1 is closed.</source>
        <translation>Die Verbindung zu PostgreSQL unter %1 ist geschlossen.</translation>
    </message>
    <message>
        <source>The connection to PostgreSQL at %1 was lost.</source>
        <translation>Die Verbindung zu PostgreSQL unter %1 ging verloren.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 started a COPY, which is not supported here.</source>
        <translation>PostgreSQL unter %1 begann ein COPY, das wird hier nicht unterstützt.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 did not answer in time.</source>
        <translation>PostgreSQL unter %1 antwortete nicht rechtzeitig.</translation>
    </message>
    <message>
        <source>The server may be overloaded or a lock may be held; the outcome is unknown.</source>
        <translation>Der Server ist vielleicht überlastet oder eine Sperre wird gehalten; der Ausgang ist ungewiss.</translation>
    </message>
    <message>
        <source>The work on PostgreSQL at %1 was stopped.</source>
        <translation>Die Arbeit auf PostgreSQL unter %1 wurde abgebrochen.</translation>
    </message>
</context>
<context>
    <name>engine::sql::DatabaseUrl</name>
    <message>
        <source>Write it as postgresql://user@host:5432/database.</source>
        <translation>Als postgresql://user@host:5432/database schreiben.</translation>
    </message>
    <message>
        <source>The database URL is empty.</source>
        <translation>Die Datenbank-URL ist leer.</translation>
    </message>
    <message>
        <source>The database URL does not begin with postgresql://.</source>
        <translation>Die Datenbank-URL beginnt nicht mit postgresql://.</translation>
    </message>
    <message>
        <source>The database URL cannot be read.</source>
        <translation>Die Datenbank-URL ist nicht lesbar.</translation>
    </message>
    <message>
        <source>Special characters in user name or password are written as %XX, for instance %40 for @.</source>
        <translation>Sonderzeichen in Benutzername oder Passwort werden als %XX geschrieben, zum Beispiel %40 für @.</translation>
    </message>
</context>
<context>
    <name>engine::sql::SqlError</name>
    <message>
        <source>Cannot connect to PostgreSQL at %1.</source>
        <translation>Keine Verbindung zu PostgreSQL unter %1.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 asks for a password and none was given.</source>
        <translation>PostgreSQL unter %1 verlangt ein Passwort, es wurde keines angegeben.</translation>
    </message>
    <message>
        <source>Put it into the URL, or into ~/.pgpass.</source>
        <translation>In die URL oder in ~/.pgpass eintragen.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1 refused user name or password.</source>
        <translation>PostgreSQL unter %1 hat Benutzername oder Passwort abgelehnt.</translation>
    </message>
    <message>
        <source>Check both in the database URL; special characters are written as %XX.</source>
        <translation>Beides in der Datenbank-URL prüfen; Sonderzeichen werden als %XX geschrieben.</translation>
    </message>
    <message>
        <source>The server says: %1</source>
        <translation>Der Server sagt: %1</translation>
    </message>
    <message>
        <source>Nothing listens there: check host and port, and that the server runs.</source>
        <translation>Dort lauscht nichts: Host und Port prüfen und ob der Server läuft.</translation>
    </message>
    <message>
        <source>The host name is not known: check its spelling.</source>
        <translation>Der Hostname ist unbekannt: die Schreibweise prüfen.</translation>
    </message>
    <message>
        <source>PostgreSQL at %1: %2.</source>
        <translation>PostgreSQL unter %1: %2.</translation>
    </message>
    <message>
        <source>The statement ran into its time limit; narrow the filter or try when the server is quieter.</source>
        <translation>Die Anweisung überschritt ihr Zeitlimit; den Filter enger fassen oder es bei weniger Last versuchen.</translation>
    </message>
    <message>
        <source>This server or transaction only reads; connect to the primary.</source>
        <translation>Dieser Server oder diese Transaktion liest nur; mit dem Primary verbinden.</translation>
    </message>
    <message>
        <source>Ask the database&apos;s owner for the missing right.</source>
        <translation>Den Eigentümer der Datenbank um das fehlende Recht bitten.</translation>
    </message>
</context>
<context>
    <name>engine::sql::Transaction</name>
    <message>
        <source>The transaction was rolled back; nothing was written.</source>
        <translation>Die Transaktion wurde zurückgerollt; es wurde nichts geschrieben.</translation>
    </message>
</context>
<context>
    <name>engine::trace::Entries</name>
    <message>
        <source>1 earlier attempt failed</source>
        <translation>1 früherer Versuch schlug fehl</translation>
    </message>
    <message>
        <source>%1 earlier attempts failed</source>
        <translation>%1 frühere Versuche schlugen fehl</translation>
    </message>
    <message>
        <source>attempt %1 to hand over failed</source>
        <translation>Übergabeversuch %1 schlug fehl</translation>
    </message>
    <message>
        <source>follow-up %1 written</source>
        <translation>Folgeereignis %1 geschrieben</translation>
    </message>
    <message>
        <source>row written: %1</source>
        <translation>Zeile geschrieben: %1</translation>
    </message>
    <message>
        <source>will be due</source>
        <translation>wird fällig</translation>
    </message>
    <message>
        <source>due</source>
        <translation>fällig</translation>
    </message>
    <message>
        <source>next attempt</source>
        <translation>nächster Versuch</translation>
    </message>
    <message>
        <source>due again, not claimed yet</source>
        <translation>erneut fällig, noch nicht beansprucht</translation>
    </message>
    <message>
        <source>waits for a dispatcher</source>
        <translation>wartet auf einen Dispatcher</translation>
    </message>
    <message>
        <source>claimed by a dispatcher</source>
        <translation>von einem Dispatcher beansprucht</translation>
    </message>
    <message>
        <source>if its lease is five minutes</source>
        <translation>wenn seine Lease fünf Minuten dauert</translation>
    </message>
    <message>
        <source>lease ran out, any dispatcher may take it</source>
        <translation>Lease abgelaufen, jeder Dispatcher darf sie nehmen</translation>
    </message>
    <message>
        <source>lease ends</source>
        <translation>Lease endet</translation>
    </message>
    <message>
        <source>%1: handed over (not yet carried out)</source>
        <translation>%1: übergeben (noch nicht ausgeführt)</translation>
    </message>
    <message>
        <source>%1: handed over to %2 (not yet carried out)</source>
        <translation>%1: an %2 übergeben (noch nicht ausgeführt)</translation>
    </message>
    <message>
        <source>%1: dead, not tried again by itself</source>
        <translation>%1: Dead Letter, kein weiterer Versuch von selbst</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>status %1, which this layout does not know</source>
        <translation>Status %1, den dieses Layout nicht kennt</translation>
    </message>
    <message>
        <source>attempt %1 started</source>
        <translation>Versuch %1 begonnen</translation>
    </message>
    <message>
        <source>stalled: its worker stopped renewing the lock; put back</source>
        <translation>ins Stocken geraten: sein Worker erneuerte die Sperre nicht mehr; zurückgelegt</translation>
    </message>
    <message>
        <source>attempt %1 failed, tried again later</source>
        <translation>Versuch %1 schlug fehl, später erneut</translation>
    </message>
    <message>
        <source>back in the queue</source>
        <translation>zurück in der Queue</translation>
    </message>
    <message>
        <source>ready again</source>
        <translation>wieder bereit</translation>
    </message>
    <message>
        <source>job completed</source>
        <translation>Job abgeschlossen</translation>
    </message>
    <message>
        <source>job failed for good</source>
        <translation>Job endgültig fehlgeschlagen</translation>
    </message>
    <message>
        <source>job removed by somebody</source>
        <translation>Job von jemandem entfernt</translation>
    </message>
    <message>
        <source>handed over again; the job was there already</source>
        <translation>erneut übergeben; der Job war schon da</translation>
    </message>
    <message>
        <source>probably waits for a worker; its list is too long to be searched</source>
        <translation>wartet vermutlich auf einen Worker; seine Liste ist zu lang, um sie zu durchsuchen</translation>
    </message>
    <message>
        <source>waits for a worker</source>
        <translation>wartet auf einen Worker</translation>
    </message>
    <message>
        <source>next attempt of the job</source>
        <translation>nächster Versuch des Jobs</translation>
    </message>
    <message>
        <source>active without a live lock: its worker is gone; the next check puts it back</source>
        <translation>aktiv ohne gültige Sperre: sein Worker ist weg; die nächste Prüfung legt ihn zurück</translation>
    </message>
    <message>
        <source>a worker is at it</source>
        <translation>ein Worker arbeitet daran</translation>
    </message>
    <message>
        <source>waits for its children</source>
        <translation>wartet auf seine Kinder</translation>
    </message>
    <message>
        <source>in no list: nothing will take it</source>
        <translation>in keiner Liste: niemand wird ihn nehmen</translation>
    </message>
    <message>
        <source>the job was removed when it finished</source>
        <translation>der Job wurde entfernt, als er fertig war</translation>
    </message>
    <message>
        <source>no job now: likely removed when it finished</source>
        <translation>jetzt kein Job: vermutlich entfernt, als er fertig war</translation>
    </message>
    <message>
        <source>the job has vanished without an event</source>
        <translation>der Job ist ohne Ereignis verschwunden</translation>
    </message>
    <message>
        <source>no trace of a job</source>
        <translation>keine Spur eines Jobs</translation>
    </message>
    <message>
        <source>job added to %1</source>
        <translation>Job zu %1 hinzugefügt</translation>
    </message>
    <message>
        <source>1 earlier attempt</source>
        <translation>1 früherer Versuch</translation>
    </message>
    <message>
        <source>%1 earlier attempts</source>
        <translation>%1 frühere Versuche</translation>
    </message>
    <message>
        <source>stalled once</source>
        <translation>einmal ins Stocken geraten</translation>
    </message>
    <message>
        <source>stalled %1 times</source>
        <translation>%1-mal ins Stocken geraten</translation>
    </message>
    <message>
        <source>stream run of %1 recorded</source>
        <translation>Stream-Lauf von %1 erfasst</translation>
    </message>
    <message>
        <source>execution of %1 queued</source>
        <translation>Ausführung von %1 eingereiht</translation>
    </message>
    <message>
        <source>execution started</source>
        <translation>Ausführung begonnen</translation>
    </message>
    <message>
        <source>no status</source>
        <translation>kein Status</translation>
    </message>
    <message>
        <source>step %1 %2: %3</source>
        <translation>Schritt %1 %2: %3</translation>
    </message>
    <message>
        <source>step %1 %2 (%3): %4</source>
        <translation>Schritt %1 %2 (%3): %4</translation>
    </message>
    <message>
        <source>waits for input</source>
        <translation>wartet auf Eingabe</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>execution ended: %1</source>
        <translation>Ausführung beendet: %1</translation>
    </message>
    <message>
        <source>possibly interrupted: a stream run that lasts longer than usual</source>
        <translation>möglicherweise unterbrochen: ein Stream-Lauf, der länger dauert als üblich</translation>
    </message>
    <message>
        <source>longer than usual</source>
        <translation>länger als üblich</translation>
    </message>
    <message>
        <source>status %1, which is not known here</source>
        <translation>Status %1, der hier nicht bekannt ist</translation>
    </message>
</context>
<context>
    <name>engine::trace::ExecutionScan</name>
    <message>
        <source>a stream run, which a restart of the web process interrupts, lasts longer than usual</source>
        <translation>ein Stream-Lauf, den ein Neustart des Webprozesses unterbricht, dauert länger als üblich</translation>
    </message>
    <message>
        <source>rows whose payload names an execution: the search has no index and reached its limit, or the payload is a text column</source>
        <translation>Zeilen, deren Payload eine Ausführung nennt: Die Suche hat keinen Index und erreichte ihre Grenze, oder die Payload ist eine Textspalte</translation>
    </message>
    <message>
        <source>no event is known that asked for it</source>
        <translation>es ist kein Ereignis bekannt, das sie angefordert hat</translation>
    </message>
    <message>
        <source>the job of its event has ended</source>
        <translation>der Job ihres Ereignisses ist beendet</translation>
    </message>
    <message>
        <source>its event is dead or cancelled</source>
        <translation>ihr Ereignis ist tot oder abgebrochen</translation>
    </message>
    <message>
        <source>its event was handed over, but there is no job</source>
        <translation>ihr Ereignis wurde übergeben, aber es gibt keinen Job</translation>
    </message>
    <message>
        <source>its event is gone, and there is no job</source>
        <translation>ihr Ereignis ist weg, und es gibt keinen Job</translation>
    </message>
</context>
<context>
    <name>engine::trace::JobScan</name>
    <message>
        <source>jobs of queues that were not found within a few seconds</source>
        <translation>Jobs von Queues, die innerhalb weniger Sekunden nicht gefunden wurden</translation>
    </message>
    <message>
        <source>the event of jobs with more than %1 KiB of data and an unusual id</source>
        <translation>das Ereignis von Jobs mit mehr als %1 KiB Daten und ungewöhnlicher ID</translation>
    </message>
    <message>
        <source>finished, and older than done rows are kept</source>
        <translation>fertig und älter, als erledigte Zeilen aufbewahrt werden</translation>
    </message>
    <message>
        <source>%1 has no row %2</source>
        <translation>%1 hat keine Zeile %2</translation>
    </message>
    <message>
        <source>duplicates among very many jobs with unusual ids</source>
        <translation>Doppelte unter sehr vielen Jobs mit ungewöhnlichen IDs</translation>
    </message>
    <message>
        <source>the same event as %1</source>
        <translation>dasselbe Ereignis wie %1</translation>
    </message>
</context>
<context>
    <name>engine::trace::Reconciler</name>
    <message>
        <source>That is no place where a comparison stopped.</source>
        <translation>Das ist keine Stelle, an der ein Abgleich anhielt.</translation>
    </message>
    <message>
        <source>Give the token exactly as it was printed, or start anew without one.</source>
        <translation>Das Token genau so angeben, wie es ausgegeben wurde, oder ohne eines neu beginnen.</translation>
    </message>
    <message>
        <source>executions: %1</source>
        <translation>Ausführungen: %1</translation>
    </message>
</context>
<context>
    <name>engine::trace::RowScan</name>
    <message>
        <source>queues that were not found within a few seconds; their jobs count as missing</source>
        <translation>Queues, die innerhalb weniger Sekunden nicht gefunden wurden; ihre Jobs gelten als fehlend</translation>
    </message>
    <message>
        <source>no job; this queue removes finished jobs, and its events do not reach back that far</source>
        <translation>kein Job; diese Queue entfernt fertige Jobs, und ihre Ereignisse reichen nicht so weit zurück</translation>
    </message>
    <message>
        <source>the job was added and has vanished without an event</source>
        <translation>der Job wurde hinzugefügt und ist ohne Ereignis verschwunden</translation>
    </message>
    <message>
        <source>no job, and the queue&apos;s events, which reach back to then, do not know it</source>
        <translation>kein Job, und die Ereignisse der Queue, die bis dahin zurückreichen, kennen ihn nicht</translation>
    </message>
    <message>
        <source>no job and no trace of it; this queue keeps its finished jobs</source>
        <translation>kein Job und keine Spur davon; diese Queue behält ihre fertigen Jobs</translation>
    </message>
</context>
<context>
    <name>engine::trace::Tracer</name>
    <message>
        <source>That is no id to trace.</source>
        <translation>Das ist keine ID, die sich verfolgen lässt.</translation>
    </message>
    <message>
        <source>Give the id of a row, a job or an execution, a dispatch key, or a correlation id.</source>
        <translation>Die ID einer Zeile, eines Jobs oder einer Ausführung, einen Dispatch-Key oder eine Korrelations-ID angeben.</translation>
    </message>
    <message>
        <source>the outbox and the executions: %1</source>
        <translation>Outbox und Ausführungen: %1</translation>
    </message>
    <message>
        <source>the outbox: %1</source>
        <translation>die Outbox: %1</translation>
    </message>
    <message>
        <source>executions: %1</source>
        <translation>Ausführungen: %1</translation>
    </message>
    <message>
        <source>jobs and receivers&apos; records: %1</source>
        <translation>Jobs und Vermerke der Empfänger: %1</translation>
    </message>
    <message>
        <source>row id</source>
        <translation>Zeilen-ID</translation>
    </message>
    <message>
        <source>dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>dispatch keys: the column has no unique index, and the search reached its time limit</source>
        <translation>Dispatch-Keys: Die Spalte hat keinen eindeutigen Index, und die Suche erreichte ihre Zeitgrenze</translation>
    </message>
    <message>
        <source>job id</source>
        <translation>Job-ID</translation>
    </message>
    <message>
        <source>%1: no row with this id or dispatch key</source>
        <translation>%1: keine Zeile mit dieser ID oder diesem Dispatch-Key</translation>
    </message>
    <message>
        <source>%1: no row with this id</source>
        <translation>%1: keine Zeile mit dieser ID</translation>
    </message>
    <message>
        <source>execution id</source>
        <translation>Ausführungs-ID</translation>
    </message>
    <message>
        <source>the event that asked for it: %1 has no row %2 (any more)</source>
        <translation>das Ereignis, das sie anforderte: %1 hat keine Zeile %2 (mehr)</translation>
    </message>
    <message>
        <source>id of a row that is gone</source>
        <translation>ID einer Zeile, die weg ist</translation>
    </message>
    <message>
        <source>the row itself: it is not in %1 any more</source>
        <translation>die Zeile selbst: Sie ist nicht mehr in %1</translation>
    </message>
    <message>
        <source>%1: no execution with this id</source>
        <translation>%1: keine Ausführung mit dieser ID</translation>
    </message>
    <message>
        <source>the row of job %1: its data names no outboxEventId</source>
        <translation>die Zeile von Job %1: Seine Daten nennen keine outboxEventId</translation>
    </message>
    <message>
        <source>the row of job %1: %2 has no row %3 (any more)</source>
        <translation>die Zeile von Job %1: %2 hat keine Zeile %3 (mehr)</translation>
    </message>
    <message>
        <source>%1: the search of %2 without an index stopped at its limit of 3 s</source>
        <translation>%1: Die Suche nach %2 ohne Index endete an ihrer Grenze von 3 s</translation>
    </message>
    <message>
        <source>more rows: only the first %1 are followed</source>
        <translation>weitere Zeilen: Nur die ersten %1 werden verfolgt</translation>
    </message>
    <message>
        <source>%1: nothing in %2</source>
        <translation>%1: nichts in %2</translation>
    </message>
    <message>
        <source>aggregate id</source>
        <translation>Aggregat-ID</translation>
    </message>
    <message>
        <source>aggregate ids</source>
        <translation>Aggregat-IDs</translation>
    </message>
    <message>
        <source>correlation ids: the payload is a text column, which is not searched</source>
        <translation>Korrelations-IDs: Die Payload ist eine Textspalte, die nicht durchsucht wird</translation>
    </message>
    <message>
        <source>correlation or saga id</source>
        <translation>Korrelations- oder Saga-ID</translation>
    </message>
    <message>
        <source>correlation, saga and trace ids</source>
        <translation>Korrelations-, Saga- und Trace-IDs</translation>
    </message>
    <message>
        <source>execution id in a payload</source>
        <translation>Ausführungs-ID in einer Payload</translation>
    </message>
    <message>
        <source>execution ids of payloads</source>
        <translation>Ausführungs-IDs der Payloads</translation>
    </message>
    <message>
        <source>when %1 was tried before: a row keeps only its latest attempt</source>
        <translation>wann %1 zuvor versucht wurde: Eine Zeile behält nur ihren letzten Versuch</translation>
    </message>
    <message>
        <source>when the steps of %1 ran: they keep no times</source>
        <translation>wann die Schritte von %1 liefen: Sie behalten keine Zeiten</translation>
    </message>
    <message>
        <source>%1: row %2</source>
        <translation>%1: Zeile %2</translation>
    </message>
    <message>
        <source>attempts of job %1 before those listed: the queue&apos;s events do not reach back that far</source>
        <translation>Versuche von Job %1 vor den aufgeführten: Die Ereignisse der Queue reichen nicht so weit zurück</translation>
    </message>
    <message>
        <source>%1: job %2, and its events</source>
        <translation>%1: Job %2 und seine Ereignisse</translation>
    </message>
    <message>
        <source>1 queue for job %1</source>
        <translation>1 Queue für Job %1</translation>
    </message>
    <message>
        <source>%1 queues for job %2</source>
        <translation>%1 Queues für Job %2</translation>
    </message>
    <message>
        <source>further queues: the key space is too large to be searched for more in a few seconds</source>
        <translation>weitere Queues: Der Schlüsselraum ist zu groß, um ihn in wenigen Sekunden danach zu durchsuchen</translation>
    </message>
    <message>
        <source>more of the database: %1</source>
        <translation>mehr aus der Datenbank: %1</translation>
    </message>
    <message>
        <source>more of Redis: %1</source>
        <translation>mehr aus Redis: %1</translation>
    </message>
    <message>
        <source>execution %1, which the payload names: %2 has none of that id (any more)</source>
        <translation>Ausführung %1, die die Payload nennt: %2 hat keine mit dieser ID (mehr)</translation>
    </message>
    <message>
        <source>%1: no execution</source>
        <translation>%1: keine Ausführung</translation>
    </message>
    <message>
        <source>%1: 1 execution</source>
        <translation>%1: 1 Ausführung</translation>
    </message>
    <message>
        <source>%1: %2 executions</source>
        <translation>%1: %2 Ausführungen</translation>
    </message>
    <message>
        <source>the job of %1: no route names its queue, and no known queue has %2</source>
        <translation>der Job von %1: Keine Route nennt seine Queue, und keine bekannte Queue hat %2</translation>
    </message>
    <message>
        <source>%1: job %2 is gone, its events are there</source>
        <translation>%1: Job %2 ist weg, seine Ereignisse sind da</translation>
    </message>
    <message>
        <source>data, result and stack traces of job %1: it was removed</source>
        <translation>Daten, Ergebnis und Stacktraces von Job %1: Er wurde entfernt</translation>
    </message>
    <message>
        <source>%1: no job %2</source>
        <translation>%1: kein Job %2</translation>
    </message>
    <message>
        <source>what became of job %1: the queue&apos;s events do not reach back that far; this queue removes finished jobs, so that is likely</source>
        <translation>was aus Job %1 wurde: Die Ereignisse der Queue reichen nicht so weit zurück; diese Queue entfernt fertige Jobs, daher ist das wahrscheinlich</translation>
    </message>
    <message>
        <source>%1: no job %2, and no event of it</source>
        <translation>%1: kein Job %2 und kein Ereignis davon</translation>
    </message>
    <message>
        <source>whether job %1 ever was: the events of %2 do not reach back to the handover</source>
        <translation>ob es Job %1 je gab: Die Ereignisse von %2 reichen nicht bis zur Übergabe zurück</translation>
    </message>
    <message>
        <source>Redis: no receiver&apos;s record of %1</source>
        <translation>Redis: kein Vermerk eines Empfängers zu %1</translation>
    </message>
    <message>
        <source>Redis: receiver&apos;s record %1</source>
        <translation>Redis: Vermerk eines Empfängers %1</translation>
    </message>
    <message>
        <source>follow-up events: the payload is a text column, which is not searched</source>
        <translation>Folgeereignisse: Die Payload ist eine Textspalte, die nicht durchsucht wird</translation>
    </message>
    <message>
        <source>follow-up events of the executions</source>
        <translation>Folgeereignisse der Ausführungen</translation>
    </message>
    <message>
        <source>events of correlation or saga %1</source>
        <translation>Ereignisse der Korrelation oder Saga %1</translation>
    </message>
    <message>
        <source>%1: %2, the search without an index stopped at its limit of 3 s</source>
        <translation>%1: %2, die Suche ohne Index endete an ihrer Grenze von 3 s</translation>
    </message>
    <message>
        <source>more %1: only the first %2 are listed</source>
        <translation>mehr %1: Nur die ersten %2 sind aufgeführt</translation>
    </message>
    <message>
        <source>%1: no %2</source>
        <translation>%1: keine %2</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
</context>
<context>
    <name>engine::watch::AlertRules</name>
    <message>
        <source>Due rows that nobody takes</source>
        <translation>Fällige Zeilen, die niemand übernimmt</translation>
    </message>
    <message>
        <source>Dead letters of the last day</source>
        <translation>Dead Letters des letzten Tages</translation>
    </message>
    <message>
        <source>Event types without a route</source>
        <translation>Ereignistypen ohne Route</translation>
    </message>
    <message>
        <source>Jobs waiting in a queue</source>
        <translation>Jobs, die in einer Queue warten</translation>
    </message>
    <message>
        <source>Jobs failed for good in the last day</source>
        <translation>Im letzten Tag endgültig fehlgeschlagene Jobs</translation>
    </message>
    <message>
        <source>Stalled jobs</source>
        <translation>Hängende Jobs</translation>
    </message>
    <message>
        <source>Jobs waiting without a worker</source>
        <translation>Jobs, die ohne Worker warten</translation>
    </message>
    <message>
        <source>Workflow executions failed in the last day</source>
        <translation>Im letzten Tag fehlgeschlagene Workflow-Ausführungen</translation>
    </message>
    <message>
        <source>Workflow executions running longer than usual</source>
        <translation>Workflow-Ausführungen, die länger als üblich laufen</translation>
    </message>
    <message>
        <source>Workflow executions queued longer than usual</source>
        <translation>Workflow-Ausführungen, die länger als üblich anstehen</translation>
    </message>
    <message>
        <source>Alert rule &quot;%1&quot;: %2</source>
        <translation>Alarmregel „%1“: %2</translation>
    </message>
    <message>
        <source>%1 has to be a whole number from %2 to %3.</source>
        <translation>%1 muss eine ganze Zahl von %2 bis %3 sein.</translation>
    </message>
    <message>
        <source>there is no metric &quot;%1&quot;.</source>
        <translation>Es gibt keine Messgröße „%1“.</translation>
    </message>
    <message>
        <source>enabled has to be true or false.</source>
        <translation>enabled muss true oder false sein.</translation>
    </message>
    <message>
        <source>level has to be warning or critical.</source>
        <translation>level muss warning oder critical sein.</translation>
    </message>
    <message>
        <source>queues has to be a list of names.</source>
        <translation>queues muss eine Liste von Namen sein.</translation>
    </message>
    <message>
        <source>The alert rules are no JSON object: %1 at byte %2.</source>
        <translation>Die Alarmregeln sind kein JSON-Objekt: %1 bei Byte %2.</translation>
    </message>
    <message>
        <source>An alert rule has no id.</source>
        <translation>Eine Alarmregel hat keine id.</translation>
    </message>
    <message>
        <source>Alert rule &quot;%1&quot; names no metric.</source>
        <translation>Die Alarmregel „%1“ nennt keine Messgröße.</translation>
    </message>
    <message>
        <source>summaryAt has to be a time such as 09:00, or null.</source>
        <translation>summaryAt muss eine Uhrzeit wie 09:00 oder null sein.</translation>
    </message>
</context>
<context>
    <name>engine::watch::Alerts</name>
    <message>
        <source>Daily summary: %1 dead letters stand</source>
        <translation>Tagesübersicht: %1 Dead Letters stehen an</translation>
    </message>
    <message>
        <source>%1 of them died within the last day.</source>
        <translation>%1 davon sind im letzten Tag hinzugekommen.</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 d %2 h</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>1 tenant</source>
        <translation>1 Mandant</translation>
    </message>
    <message>
        <source>%1 tenants</source>
        <translation>%1 Mandanten</translation>
    </message>
    <message>
        <source>%1 rows have been due for more than %2</source>
        <translation>%1 Zeilen sind seit mehr als %2 fällig</translation>
    </message>
    <message>
        <source>oldest for %1 · %2 · %3</source>
        <translation>älteste seit %1 · %2 · %3</translation>
    </message>
    <message>
        <source>Look whether a dispatcher runs and what it says; start one if none does.</source>
        <translation>Sehen Sie nach, ob ein Dispatcher läuft und was er meldet; starten Sie einen, falls nicht.</translation>
    </message>
    <message>
        <source>1 dead letter within a day</source>
        <translation>1 Dead Letter innerhalb eines Tages</translation>
    </message>
    <message>
        <source>%1 dead letters within a day</source>
        <translation>%1 Dead Letters innerhalb eines Tages</translation>
    </message>
    <message>
        <source>most often “%1”</source>
        <translation>meist „%1“</translation>
    </message>
    <message>
        <source>Read their errors, repair the cause, then requeue them.</source>
        <translation>Lesen Sie die Fehler, beheben Sie die Ursache und reihen Sie sie dann neu ein.</translation>
    </message>
    <message>
        <source>No route for the event type %1</source>
        <translation>Keine Route für den Ereignistyp %1</translation>
    </message>
    <message>
        <source>No route for %1 event types</source>
        <translation>Keine Route für %1 Ereignistypen</translation>
    </message>
    <message>
        <source>Add a route for it, or correct the producer; such rows die at once.</source>
        <translation>Ergänzen Sie eine Route oder berichtigen Sie den Erzeuger; solche Zeilen werden sofort zu Dead Letters.</translation>
    </message>
    <message>
        <source>workers unknown</source>
        <translation>Worker unbekannt</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>1 Worker</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <source>oldest for %1</source>
        <translation>ältester seit %1</translation>
    </message>
    <message>
        <source>Queue %1 has %2 waiting jobs</source>
        <translation>In Queue %1 warten %2 Jobs</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>The queue is paused; resume it when its receiver is well again.</source>
        <translation>Die Queue ist pausiert; setzen Sie sie fort, wenn ihr Empfänger wieder gesund ist.</translation>
    </message>
    <message>
        <source>Its workers are too slow or stand still: look at their logs, add some.</source>
        <translation>Ihre Worker sind zu langsam oder stehen: Sehen Sie in deren Protokolle, ergänzen Sie welche.</translation>
    </message>
    <message>
        <source>1 job of queue %1 failed for good within a day</source>
        <translation>1 Job der Queue %1 ist innerhalb eines Tages endgültig fehlgeschlagen</translation>
    </message>
    <message>
        <source>%2 jobs of queue %1 failed for good within a day</source>
        <translation>%2 Jobs der Queue %1 sind innerhalb eines Tages endgültig fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 failed jobs kept</source>
        <translation>%1 fehlgeschlagene Jobs aufbewahrt</translation>
    </message>
    <message>
        <source>Read their errors, repair the cause, then retry the jobs.</source>
        <translation>Lesen Sie die Fehler, beheben Sie die Ursache und wiederholen Sie dann die Jobs.</translation>
    </message>
    <message>
        <source>1 job of queue %1 is stalled</source>
        <translation>1 Job der Queue %1 hängt</translation>
    </message>
    <message>
        <source>%2 jobs of queue %1 are stalled</source>
        <translation>%2 Jobs der Queue %1 hängen</translation>
    </message>
    <message>
        <source>A worker died or blocks its event loop; another takes the job over after a check.</source>
        <translation>Ein Worker ist abgestürzt oder blockiert seine Ereignisschleife; ein anderer übernimmt den Job nach einer Prüfung.</translation>
    </message>
    <message>
        <source>Queue %1 has 1 waiting job and no worker</source>
        <translation>In Queue %1 wartet 1 Job, und es gibt keinen Worker</translation>
    </message>
    <message>
        <source>Queue %1 has %2 waiting jobs and no worker</source>
        <translation>In Queue %1 warten %2 Jobs, und es gibt keinen Worker</translation>
    </message>
    <message>
        <source>Start the workers of this queue.</source>
        <translation>Starten Sie die Worker dieser Queue.</translation>
    </message>
    <message>
        <source>1 workflow execution failed within a day</source>
        <translation>1 Workflow-Ausführung ist innerhalb eines Tages fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 workflow executions failed within a day</source>
        <translation>%1 Workflow-Ausführungen sind innerhalb eines Tages fehlgeschlagen</translation>
    </message>
    <message>
        <source>Open the execution and read the step that failed.</source>
        <translation>Öffnen Sie die Ausführung und lesen Sie den fehlgeschlagenen Schritt.</translation>
    </message>
    <message>
        <source>1 workflow execution runs longer than usual</source>
        <translation>1 Workflow-Ausführung läuft länger als üblich</translation>
    </message>
    <message>
        <source>%1 workflow executions run longer than usual</source>
        <translation>%1 Workflow-Ausführungen laufen länger als üblich</translation>
    </message>
    <message>
        <source>Its worker may have died in between: look at the job behind it.</source>
        <translation>Ihr Worker ist womöglich zwischendurch abgestürzt: Sehen Sie nach dem Job dahinter.</translation>
    </message>
    <message>
        <source>1 workflow execution is queued longer than usual</source>
        <translation>1 Workflow-Ausführung steht länger als üblich an</translation>
    </message>
    <message>
        <source>%1 workflow executions are queued longer than usual</source>
        <translation>%1 Workflow-Ausführungen stehen länger als üblich an</translation>
    </message>
    <message>
        <source>Look whether the queue outbox.workflow has workers.</source>
        <translation>Sehen Sie nach, ob die Queue outbox.workflow Worker hat.</translation>
    </message>
</context>
<context>
    <name>engine::watch::Doctor</name>
    <message>
        <source>Dispatcher settings</source>
        <translation>Dispatcher-Einstellungen</translation>
    </message>
    <message>
        <source>Batch %1, concurrency %2, interval %3 ms.</source>
        <translation>Batch %1, Parallelität %2, Intervall %3 ms.</translation>
    </message>
    <message>
        <source>PostgreSQL</source>
        <translation>PostgreSQL</translation>
    </message>
    <message>
        <source>Connected to %1, version %2.</source>
        <translation>Verbunden mit %1, Version %2.</translation>
    </message>
    <message>
        <source>Versions before 12 are not tested.</source>
        <translation>Versionen vor 12 sind nicht getestet.</translation>
    </message>
    <message>
        <source>Database session</source>
        <translation>Datenbanksitzung</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>This server only reads; a dispatcher cannot work on it.</source>
        <translation>Dieser Server liest nur; ein Dispatcher kann darauf nicht arbeiten.</translation>
    </message>
    <message>
        <source>Connect to the primary to publish or dispatch.</source>
        <translation>Zum Veröffentlichen oder Zustellen mit dem Primary verbinden.</translation>
    </message>
    <message>
        <source>The server takes writes.</source>
        <translation>Der Server nimmt Schreibzugriffe an.</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>Uhren</translation>
    </message>
    <message>
        <source>This machine is %1 ms from the database&apos;s clock; its time zone is %2.</source>
        <translation>Dieser Rechner weicht %1 ms von der Uhr der Datenbank ab; deren Zeitzone ist %2.</translation>
    </message>
    <message>
        <source>All decisions follow the database&apos;s clock; ages shown here are off by this much.</source>
        <translation>Alle Entscheidungen folgen der Uhr der Datenbank; hier gezeigte Alter sind um so viel falsch.</translation>
    </message>
    <message>
        <source>Outbox table</source>
        <translation>Outbox-Tabelle</translation>
    </message>
    <message>
        <source>%1 has the %2 layout.</source>
        <translation>%1 hat das %2-Layout.</translation>
    </message>
    <message>
        <source>Index for claims</source>
        <translation>Index zum Beanspruchen</translation>
    </message>
    <message>
        <source>There is an index on status and schedule.</source>
        <translation>Es gibt einen Index auf Status und Fälligkeit.</translation>
    </message>
    <message>
        <source>No index begins with (%1, %2): every claim reads the whole table.</source>
        <translation>Kein Index beginnt mit (%1, %2): Jedes Beanspruchen liest die ganze Tabelle.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for: CREATE INDEX CONCURRENTLY ON %1 (%2, %3);</source>
        <translation>Vom Eigentümer der Tabelle anlegen lassen: CREATE INDEX CONCURRENTLY ON %1 (%2, %3);</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>The dispatch key has no unique index; a key would not keep a second event out.</source>
        <translation>Der Dispatch-Key hat keinen eindeutigen Index; ein Key würde ein zweites Ereignis nicht verhindern.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for a unique index on %1.</source>
        <translation>Vom Eigentümer der Tabelle einen eindeutigen Index auf %1 anlegen lassen.</translation>
    </message>
    <message>
        <source>Outbox rows</source>
        <translation>Outbox-Zeilen</translation>
    </message>
    <message>
        <source>Due rows</source>
        <translation>Fällige Zeilen</translation>
    </message>
    <message>
        <source>Nothing is due.</source>
        <translation>Nichts ist fällig.</translation>
    </message>
    <message>
        <source>%1 due, the oldest for %2 s.</source>
        <translation>%1 fällig, die älteste seit %2 s.</translation>
    </message>
    <message>
        <source>Nothing seems to drain this table: start a dispatcher, or look why it stands.</source>
        <translation>Nichts scheint diese Tabelle zu leeren: einen Dispatcher starten oder nachsehen, warum er steht.</translation>
    </message>
    <message>
        <source>Redis</source>
        <translation>Redis</translation>
    </message>
    <message>
        <source>No Redis URL is given.</source>
        <translation>Es ist keine Redis-URL angegeben.</translation>
    </message>
    <message>
        <source>Give one with --redis or OUTBOX_REDIS_URL.</source>
        <translation>Mit --redis oder OUTBOX_REDIS_URL angeben.</translation>
    </message>
    <message>
        <source>Eviction</source>
        <translation>Verdrängung</translation>
    </message>
    <message>
        <source>Redis keeps every job (noeviction).</source>
        <translation>Redis behält jeden Job (noeviction).</translation>
    </message>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>%1 queues below the prefix %2.</source>
        <translation>%1 Queues unter dem Präfix %2.</translation>
    </message>
    <message>
        <source>Jobs wait and no worker serves: %1.</source>
        <translation>Jobs warten und kein Worker bedient: %1.</translation>
    </message>
    <message>
        <source>Start the workers of these queues.</source>
        <translation>Die Worker dieser Queues starten.</translation>
    </message>
    <message>
        <source>Wake-up</source>
        <translation>Wecken</translation>
    </message>
    <message>
        <source>A pooler stands before the database and keeps notifications to itself; new rows are found by looking.</source>
        <translation>Vor der Datenbank steht ein Pooler, der Benachrichtigungen für sich behält; neue Zeilen werden durch Nachsehen gefunden.</translation>
    </message>
    <message>
        <source>New rows wake a sleeping dispatcher.</source>
        <translation>Neue Zeilen wecken einen schlafenden Dispatcher.</translation>
    </message>
    <message>
        <source>No trigger wakes dispatchers; new rows are found by looking, often under traffic.</source>
        <translation>Kein Trigger weckt Dispatcher; neue Zeilen werden durch Nachsehen gefunden, bei Verkehr oft.</translation>
    </message>
    <message>
        <source>Order of events</source>
        <translation>Reihenfolge der Ereignisse</translation>
    </message>
    <message>
        <source>By %1, with an index.</source>
        <translation>Nach %1, mit Index.</translation>
    </message>
    <message>
        <source>By %1, without an index: every claim looks at all open events.</source>
        <translation>Nach %1, ohne Index: jede Übernahme sieht alle offenen Ereignisse durch.</translation>
    </message>
    <message>
        <source>Ask the table&apos;s owner for: %1</source>
        <translation>Bitten Sie den Eigentümer der Tabelle um: %1</translation>
    </message>
</context>
<context>
    <name>engine::watch::HealthServer</name>
    <message>
        <source>&quot;%1&quot; is no address to listen on.</source>
        <translation>„%1“ ist keine Adresse, an der gelauscht werden kann.</translation>
    </message>
    <message>
        <source>Write it as PORT or ADDRESS:PORT, for instance 9464 or 0.0.0.0:9464; port 0 takes a free one.</source>
        <translation>Als PORT oder ADRESSE:PORT schreiben, etwa 9464 oder 0.0.0.0:9464; Port 0 nimmt einen freien.</translation>
    </message>
    <message>
        <source>Cannot listen on %1: %2.</source>
        <translation>Auf %1 kann nicht gelauscht werden: %2.</translation>
    </message>
    <message>
        <source>Choose another port, or 0 for a free one.</source>
        <translation>Einen anderen Port wählen, oder 0 für einen freien.</translation>
    </message>
</context>
<context>
    <name>engine::watch::OutboxFeed</name>
    <message>
        <source>The connection %1 is read-only.</source>
        <translation>Die Verbindung %1 ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>Allow writing in the connection&apos;s settings first.</source>
        <translation>Zuerst in den Einstellungen der Verbindung das Schreiben erlauben.</translation>
    </message>
</context>
<context>
    <name>engine::watch::RetentionFeed</name>
    <message>
        <source>This connection is read-only; rows are not removed over it.</source>
        <translation>Diese Verbindung ist schreibgeschützt; über sie werden keine Zeilen entfernt.</translation>
    </message>
    <message>
        <source>Allow writing in the connection&apos;s settings first.</source>
        <translation>Zuerst in den Einstellungen der Verbindung das Schreiben erlauben.</translation>
    </message>
</context>
<context>
    <name>engine::watch::TraceFeed</name>
    <message>
        <source>The connection was lost during the comparison.</source>
        <translation>Die Verbindung ging während des Abgleichs verloren.</translation>
    </message>
    <message>
        <source>Resume it to go on where it stopped.</source>
        <translation>Fortsetzen, um dort weiterzumachen, wo er anhielt.</translation>
    </message>
</context>
<context>
    <name>engine::workflow::Discovery</name>
    <message>
        <source>%1 tables look like workflow executions: %2.</source>
        <translation>%1 Tabellen sehen nach Workflow-Ausführungen aus: %2.</translation>
    </message>
    <message>
        <source>Choose one with --executions %1 in a terminal.</source>
        <translation>Im Terminal mit --executions %1 eine wählen.</translation>
    </message>
    <message>
        <source>This database has no table of workflow executions.</source>
        <translation>Diese Datenbank hat keine Tabelle mit Workflow-Ausführungen.</translation>
    </message>
    <message>
        <source>The table %1 does not hold workflow executions.</source>
        <translation>Die Tabelle %1 enthält keine Workflow-Ausführungen.</translation>
    </message>
    <message>
        <source>Such a table has the columns id, workflowId, status and startedAt; see them with: outbox-console schema print --layout workflow.</source>
        <translation>Eine solche Tabelle hat die Spalten id, workflowId, status und startedAt; zu sehen mit: outbox-console schema print --layout workflow.</translation>
    </message>
</context>
<context>
    <name>engine::workflow::ExecutionReader</name>
    <message>
        <source>%1 has no execution with id %2 (any more).</source>
        <translation>%1 hat keine Ausführung (mehr) mit der ID %2.</translation>
    </message>
</context>
<context>
    <name>engine::workflow::Steps</name>
    <message>
        <source>The steps are not JSON (%1 at byte %2); they are shown as they are.</source>
        <translation>Die Schritte sind kein JSON (%1 bei Byte %2); sie werden gezeigt, wie sie sind.</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 steps are listed.</source>
        <translation>Nur die ersten %1 von %2 Schritten sind aufgeführt.</translation>
    </message>
</context>
<context>
    <name>models::AlertModel</name>
    <message>
        <source>snoozed until %1</source>
        <translation>stumm bis %1</translation>
    </message>
    <message>
        <source>last known state</source>
        <translation>letzter bekannter Stand</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>Kritisch</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Level</source>
        <comment>column</comment>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <comment>column</comment>
        <translation>Was nicht stimmt</translation>
    </message>
    <message>
        <source>For whom</source>
        <comment>column</comment>
        <translation>Für wen</translation>
    </message>
    <message>
        <source>Since</source>
        <comment>column</comment>
        <translation>Seit</translation>
    </message>
    <message>
        <source>State</source>
        <comment>column</comment>
        <translation>Zustand</translation>
    </message>
</context>
<context>
    <name>models::AlertRuleModel</name>
    <message>
        <source>all queues</source>
        <translation>alle Queues</translation>
    </message>
    <message>
        <source>on</source>
        <comment>alert rule</comment>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <comment>alert rule</comment>
        <translation>aus</translation>
    </message>
    <message>
        <source>%1 for %2</source>
        <translation>%1, seit %2</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>Kritisch</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>more than %1</source>
        <translation>mehr als %1</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>sofort</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>für %1</translation>
    </message>
    <message>
        <source>Ends when it is at or below %1 for %2.</source>
        <translation>Endet, wenn der Wert %2 lang höchstens %1 ist.</translation>
    </message>
    <message>
        <source>On</source>
        <comment>column</comment>
        <translation>An</translation>
    </message>
    <message>
        <source>Alert when there are</source>
        <comment>column</comment>
        <translation>Alarm bei</translation>
    </message>
    <message>
        <source>Level</source>
        <comment>column</comment>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Limit</source>
        <comment>column</comment>
        <translation>Grenze</translation>
    </message>
    <message>
        <source>How long</source>
        <comment>column</comment>
        <translation>Wie lange</translation>
    </message>
    <message>
        <source>Queues</source>
        <comment>column</comment>
        <translation>Queues</translation>
    </message>
</context>
<context>
    <name>models::ChartLine</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
</context>
<context>
    <name>models::CountText</name>
    <message>
        <source>%1 bn</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Byte</translation>
    </message>
    <message>
        <source>%1 KiB</source>
        <translation>%1 KiB</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 MiB</translation>
    </message>
    <message>
        <source>%1 rows, counted exactly.</source>
        <translation>%1 Zeilen, genau gezählt.</translation>
    </message>
    <message>
        <source>%1 rows or more: counting stopped there.</source>
        <translation>%1 Zeilen oder mehr: Dort endete das Zählen.</translation>
    </message>
    <message>
        <source>About %1 rows, estimated from the database&apos;s statistics.</source>
        <translation>Etwa %1 Zeilen, geschätzt aus der Statistik der Datenbank.</translation>
    </message>
    <message>
        <source>The number of rows is not available now.</source>
        <translation>Die Zahl der Zeilen ist gerade nicht verfügbar.</translation>
    </message>
    <message>
        <source>Rows %1–%2, their number is not available now</source>
        <translation>Zeilen %1–%2, ihre Anzahl ist gerade nicht verfügbar</translation>
    </message>
    <message>
        <source>Rows %1–%2 of %3</source>
        <translation>Zeilen %1–%2 von %3</translation>
    </message>
    <message>
        <source>Somewhere in the list: its length is not available now</source>
        <translation>Irgendwo in der Liste: ihre Länge ist gerade nicht verfügbar</translation>
    </message>
    <message>
        <source>About row %1 of %2</source>
        <translation>Etwa Zeile %1 von %2</translation>
    </message>
</context>
<context>
    <name>models::DocumentText</name>
    <message>
        <source>Hex digits</source>
        <translation>Hexziffern</translation>
    </message>
    <message>
        <source>binary</source>
        <translation>binär</translation>
    </message>
    <message>
        <source>%1, shown as hex</source>
        <translation>%1, als Hex gezeigt</translation>
    </message>
    <message>
        <source>MessagePack, %1, shown as JSON</source>
        <translation>MessagePack, %1, als JSON gezeigt</translation>
    </message>
    <message>
        <source>%1, MessagePack inside</source>
        <translation>%1, darin MessagePack</translation>
    </message>
    <message>
        <source>%1, %2 inside, shown as hex</source>
        <translation>%1, darin %2, als Hex gezeigt</translation>
    </message>
    <message>
        <source>%1, JSON inside</source>
        <translation>%1, darin JSON</translation>
    </message>
    <message>
        <source>%1, nothing inside</source>
        <translation>%1, nichts darin</translation>
    </message>
    <message>
        <source>%1, text inside</source>
        <translation>%1, darin Text</translation>
    </message>
    <message>
        <source>There is more inside: unpacking stopped at %1.</source>
        <translation>Es steckt noch mehr darin: Das Entpacken endete bei %1.</translation>
    </message>
    <message>
        <source>The packed data ends too early; this is what could be read.</source>
        <translation>Die gepackten Daten enden zu früh; dies war zu lesen.</translation>
    </message>
    <message>
        <source>The packed data is damaged; this is what could be read.</source>
        <translation>Die gepackten Daten sind beschädigt; dies war zu lesen.</translation>
    </message>
    <message>
        <source>There are more bytes behind the packed data; see them as stored.</source>
        <translation>Hinter den gepackten Daten stehen weitere Bytes; sie sind wie gespeichert zu sehen.</translation>
    </message>
    <message>
        <source>Not valid JSON (line %1, column %2), shown as stored.</source>
        <translation>Kein gültiges JSON (Zeile %1, Spalte %2), gezeigt wie gespeichert.</translation>
    </message>
</context>
<context>
    <name>models::ExecutionModel</name>
    <message>
        <source>usually at most %1 (95 % of its last %2 runs)</source>
        <translation>üblich sind höchstens %1 (95 % der letzten %2 Läufe)</translation>
    </message>
    <message>
        <source>more than %1; too few runs to say what is usual</source>
        <translation>mehr als %1; zu wenige Läufe, um zu sagen, was üblich ist</translation>
    </message>
    <message>
        <source>queued for %1, %2</source>
        <translation>seit %1 eingereiht, %2</translation>
    </message>
    <message>
        <source>possibly interrupted: running for %1, %2</source>
        <translation>möglicherweise unterbrochen: läuft seit %1, %2</translation>
    </message>
    <message>
        <source>running for %1, %2</source>
        <translation>läuft seit %1, %2</translation>
    </message>
    <message>
        <source>A stream run: the web process executes it without an outbox row, and a restart interrupts it.</source>
        <translation>Ein Stream-Lauf: Der Webprozess führt ihn ohne Outbox-Zeile aus, und ein Neustart unterbricht ihn.</translation>
    </message>
    <message>
        <source>Queued</source>
        <comment>column: when the execution was asked for</comment>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Status</source>
        <comment>column</comment>
        <translation>Status</translation>
    </message>
    <message>
        <source>Workflow</source>
        <comment>column</comment>
        <translation>Workflow</translation>
    </message>
    <message>
        <source>Tenant</source>
        <comment>column</comment>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Trigger</source>
        <comment>column: what started the execution</comment>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>Duration</source>
        <comment>column</comment>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column: error, or what it waits for</comment>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>waits for input</source>
        <translation>wartet auf Eingabe</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>a status that is not known here</source>
        <translation>ein Status, der hier nicht bekannt ist</translation>
    </message>
</context>
<context>
    <name>models::FindModel</name>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Action</source>
        <translation>Aktion</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Look up</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>Trace %1</source>
        <translation>%1 verfolgen</translation>
    </message>
    <message>
        <source>row, dispatch key, job, correlation, execution</source>
        <translation>Zeile, Dispatch-Key, Job, Korrelation, Ausführung</translation>
    </message>
    <message>
        <source>Outbox row %1</source>
        <translation>Outbox-Zeile %1</translation>
    </message>
    <message>
        <source>by its id</source>
        <translation>nach ihrer ID</translation>
    </message>
    <message>
        <source>Job %1 in %2</source>
        <translation>Job %1 in %2</translation>
    </message>
</context>
<context>
    <name>models::FindingsModel</name>
    <message>
        <source>Good</source>
        <comment>verdict of a check</comment>
        <translation>Gut</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>verdict of a check</comment>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Problem</source>
        <comment>verdict of a check</comment>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Everything is in order</source>
        <translation>Alles in Ordnung</translation>
    </message>
    <message>
        <source>1 problem</source>
        <translation>1 Problem</translation>
    </message>
    <message>
        <source>%1 problems</source>
        <translation>%1 Probleme</translation>
    </message>
    <message>
        <source>1 warning</source>
        <translation>1 Warnung</translation>
    </message>
    <message>
        <source>%1 warnings</source>
        <translation>%1 Warnungen</translation>
    </message>
</context>
<context>
    <name>models::JobModel</name>
    <message>
        <source>gone: the id is still in the list, the job is not</source>
        <translation>weg: die ID steht noch in der Liste, der Job ist nicht mehr da</translation>
    </message>
    <message>
        <source>stalled: no worker holds it</source>
        <translation>hängt: kein Worker hält ihn</translation>
    </message>
    <message>
        <source>Job</source>
        <comment>column</comment>
        <translation>Job</translation>
    </message>
    <message>
        <source>Name</source>
        <comment>column</comment>
        <translation>Name</translation>
    </message>
    <message>
        <source>Attempts</source>
        <comment>column</comment>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Added</source>
        <comment>column</comment>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Finished</source>
        <comment>column</comment>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Due</source>
        <comment>column</comment>
        <translation>Fällig</translation>
    </message>
    <message>
        <source>Last start</source>
        <comment>column</comment>
        <translation>Letzter Start</translation>
    </message>
    <message>
        <source>Took</source>
        <comment>column</comment>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Error</source>
        <comment>column</comment>
        <translation>Fehler</translation>
    </message>
</context>
<context>
    <name>models::JobText</name>
    <message>
        <source>%1 not finished</source>
        <translation>%1 offen</translation>
    </message>
    <message>
        <source>%1 completed</source>
        <translation>%1 erledigt</translation>
    </message>
    <message>
        <source>%1 failed, ignored</source>
        <translation>%1 gescheitert, ignoriert</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 gescheitert</translation>
    </message>
    <message>
        <source>held by %1, %2 left unless renewed</source>
        <translation>gehalten von %1, noch %2, falls nicht erneuert</translation>
    </message>
    <message>
        <source>held by %1, without an end</source>
        <translation>gehalten von %1, ohne Ende</translation>
    </message>
    <message>
        <source>nobody holds it: stalled</source>
        <translation>niemand hält ihn: hängt</translation>
    </message>
    <message>
        <source>Added</source>
        <translation>Hinzugefügt</translation>
    </message>
    <message>
        <source>Latest attempt started</source>
        <translation>Letzter Versuch begonnen</translation>
    </message>
    <message>
        <source>Failed for good</source>
        <translation>Endgültig gescheitert</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Due</source>
        <translation>Fällig</translation>
    </message>
    <message>
        <source>Waits for its children</source>
        <translation>Wartet auf seine Kinder</translation>
    </message>
    <message>
        <source>Lock ends unless renewed</source>
        <translation>Sperre endet, falls nicht erneuert</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>state of a job</comment>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Active</source>
        <comment>state of a job</comment>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Delayed</source>
        <comment>state of a job</comment>
        <translation>Später</translation>
    </message>
    <message>
        <source>Prioritized</source>
        <comment>state of a job</comment>
        <translation>Mit Priorität</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>state of a job</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Completed</source>
        <comment>state of a job</comment>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>On children</source>
        <comment>state of a job</comment>
        <translation>Auf Kinder</translation>
    </message>
    <message>
        <source>In no list</source>
        <comment>state of a job</comment>
        <translation>In keiner Liste</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>attempts</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>%1 started</source>
        <translation>%1 begonnen</translation>
    </message>
    <message>
        <source>stalled once</source>
        <translation>einmal hängengeblieben</translation>
    </message>
    <message>
        <source>stalled %1 times</source>
        <translation>%1-mal hängengeblieben</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Lock</source>
        <translation>Sperre</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>deep in a long list, not looked up</source>
        <translation>tief in einer langen Liste, nicht nachgesehen</translation>
    </message>
    <message>
        <source>next</source>
        <translation>als nächster</translation>
    </message>
    <message>
        <source>%1 jobs before it</source>
        <translation>%1 Jobs davor</translation>
    </message>
    <message>
        <source>in no list of the queue; it will not run by itself</source>
        <translation>in keiner Liste der Queue; er läuft nicht von selbst</translation>
    </message>
    <message>
        <source>Will fail</source>
        <translation>Wird scheitern</translation>
    </message>
    <message>
        <source>Priority</source>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>Backoff</source>
        <translation>Wartezeit</translation>
    </message>
    <message>
        <source>Last worker</source>
        <translation>Letzter Worker</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Parent</source>
        <translation>Elternjob</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>Kinder</translation>
    </message>
    <message>
        <source>Scheduler</source>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>free again</source>
        <translation>wieder frei</translation>
    </message>
    <message>
        <source>held by this job</source>
        <translation>von diesem Job gehalten</translation>
    </message>
    <message>
        <source>held by %1</source>
        <translation>von %1 gehalten</translation>
    </message>
    <message>
        <source>Deduplication</source>
        <translation>Deduplizierung</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no time</source>
        <translation>„%1“ ist keine Zeit</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>Hängt</translation>
    </message>
    <message>
        <source>no lock</source>
        <translation>keine Sperre</translation>
    </message>
    <message>
        <source>The next worker fails it with: %1</source>
        <translation>Der nächste Worker lässt ihn scheitern mit: %1</translation>
    </message>
    <message>
        <source>— Stack trace %1 of %1, the newest —</source>
        <translation>— Stacktrace %1 von %1, der neueste —</translation>
    </message>
    <message>
        <source>— Stack trace %1 of %2 —</source>
        <translation>— Stacktrace %1 von %2 —</translation>
    </message>
</context>
<context>
    <name>models::LogModel</name>
    <message>
        <source>Info</source>
        <comment>log level</comment>
        <translation>Info</translation>
    </message>
    <message>
        <source>Warning</source>
        <comment>log level</comment>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Error</source>
        <comment>log level</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Time</source>
        <comment>column</comment>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Level</source>
        <comment>column</comment>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>What happened</source>
        <comment>column</comment>
        <translation>Meldung</translation>
    </message>
</context>
<context>
    <name>models::OutboxModel</name>
    <message>
        <source>Scheduled</source>
        <comment>column: when the event is due</comment>
        <translation>Fällig</translation>
    </message>
    <message>
        <source>Created</source>
        <comment>column: when the event was written</comment>
        <translation>Erstellt</translation>
    </message>
    <message>
        <source>Status</source>
        <comment>column</comment>
        <translation>Status</translation>
    </message>
    <message>
        <source>Type</source>
        <comment>column: event type</comment>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Tenant</source>
        <comment>column</comment>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Retries</source>
        <comment>column: number of failed attempts</comment>
        <translation>Wdh.</translation>
    </message>
    <message>
        <source>Destination</source>
        <comment>column: queue</comment>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column: error, lease or next attempt</comment>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>no route</source>
        <translation>keine Route</translation>
    </message>
    <message>
        <source>claimed %1</source>
        <translation>%1 beansprucht</translation>
    </message>
    <message>
        <source>lease ran out %1</source>
        <translation>Lease %1 abgelaufen</translation>
    </message>
    <message>
        <source>lease until %1</source>
        <translation>Lease bis %1</translation>
    </message>
    <message>
        <source>due %1</source>
        <translation>fällig %1</translation>
    </message>
    <message>
        <source>this layout has no such status</source>
        <translation>dieses Layout kennt den Status nicht</translation>
    </message>
    <message>
        <source>Handed to the destination. What the receiver did with it is not recorded here.</source>
        <translation>An das Ziel übergeben. Was der Empfänger damit tat, ist hier nicht verzeichnet.</translation>
    </message>
    <message>
        <source>No route matches this type: the dispatcher cannot hand it over.</source>
        <translation>Keine Route passt zu diesem Typ: Der Dispatcher kann es nicht übergeben.</translation>
    </message>
    <message>
        <source>retry %1</source>
        <translation>Wdh. %1</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>in %1</translation>
    </message>
</context>
<context>
    <name>models::ProfileModel</name>
    <message>
        <source>Private PostgreSQL and Redis</source>
        <translation>Privates PostgreSQL und Redis</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Writable</source>
        <translation>Schreibbar</translation>
    </message>
    <message>
        <source>Production</source>
        <translation>Produktion</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
</context>
<context>
    <name>models::QueueModel</name>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>1 job stalled</source>
        <translation>1 Job hängt</translation>
    </message>
    <message>
        <source>%1 jobs stalled</source>
        <translation>%1 Jobs hängen</translation>
    </message>
    <message>
        <source>none</source>
        <comment>workers</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>Written by BullMQ %1</source>
        <translation>Geschrieben von BullMQ %1</translation>
    </message>
    <message>
        <source>Redis does not let this connection see its clients, so workers cannot be counted.</source>
        <translation>Redis zeigt dieser Verbindung seine Clients nicht, Worker lassen sich daher nicht zählen.</translation>
    </message>
    <message>
        <source>Queue</source>
        <comment>column</comment>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Waiting</source>
        <comment>column</comment>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Jobs ready to be taken, paused or not</source>
        <translation>Abholbereite Jobs, ob pausiert oder nicht</translation>
    </message>
    <message>
        <source>Active</source>
        <comment>column</comment>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Jobs held by a worker</source>
        <translation>Jobs, die ein Worker hält</translation>
    </message>
    <message>
        <source>Delayed</source>
        <comment>column</comment>
        <translation>Später</translation>
    </message>
    <message>
        <source>Jobs that become ready later, retries included</source>
        <translation>Jobs, die später bereit werden, auch Wiederholungen</translation>
    </message>
    <message>
        <source>Priority</source>
        <comment>column</comment>
        <translation>Priorität</translation>
    </message>
    <message>
        <source>Ready jobs with a priority</source>
        <translation>Abholbereite Jobs mit Priorität</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>column</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Jobs that will not be tried again by themselves</source>
        <translation>Jobs, die nicht von selbst erneut versucht werden</translation>
    </message>
    <message>
        <source>Completed</source>
        <comment>column</comment>
        <translation>Erledigt</translation>
    </message>
    <message>
        <source>Finished jobs that are still kept</source>
        <translation>Fertige Jobs, die noch aufbewahrt werden</translation>
    </message>
    <message>
        <source>On children</source>
        <comment>column</comment>
        <translation>Auf Kinder</translation>
    </message>
    <message>
        <source>Jobs that wait for their child jobs</source>
        <translation>Jobs, die auf ihre Kind-Jobs warten</translation>
    </message>
    <message>
        <source>Stalled</source>
        <comment>column</comment>
        <translation>Hängt</translation>
    </message>
    <message>
        <source>Active jobs whose worker no longer holds the lock</source>
        <translation>Aktive Jobs, deren Worker die Sperre nicht mehr hält</translation>
    </message>
    <message>
        <source>Workers</source>
        <comment>column</comment>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Workers connected to this queue</source>
        <translation>Mit dieser Queue verbundene Worker</translation>
    </message>
    <message>
        <source>Oldest waiting</source>
        <comment>column</comment>
        <translation>Wartet seit</translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column</comment>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>jobs wait, no worker is connected</source>
        <translation>Jobs warten, kein Worker verbunden</translation>
    </message>
    <message>
        <source>%1 in BullMQ&apos;s own stalled set: active at the workers&apos; last check and not renewed since. Most of them are only being worked on.</source>
        <translation>%1 in BullMQs eigener Menge „stalled“: bei der letzten Prüfung der Worker aktiv und seither nicht erneuert. Die meisten werden einfach gerade bearbeitet.</translation>
    </message>
    <message>
        <source>%1 ready</source>
        <translation>%1 bereit</translation>
    </message>
    <message>
        <source>Schedulers</source>
        <comment>column</comment>
        <translation>Scheduler</translation>
    </message>
    <message>
        <source>Repeatable jobs and job schedulers</source>
        <translation>Wiederholte Jobs und Job-Scheduler</translation>
    </message>
    <message>
        <source>Age of the oldest among the jobs that run next</source>
        <translation>Alter des ältesten unter den Jobs, die als nächste laufen</translation>
    </message>
    <message>
        <source>Last 15 min</source>
        <comment>column</comment>
        <translation>Letzte 15 min</translation>
    </message>
    <message>
        <source>Ready jobs, waiting and prioritized, while this window watched</source>
        <translation>Bereite Jobs, wartende und mit Priorität, solange dieses Fenster zusah</translation>
    </message>
</context>
<context>
    <name>models::ReconcileModel</name>
    <message>
        <source>Done without a job</source>
        <translation>Erledigt ohne Job</translation>
    </message>
    <message>
        <source>Job removed</source>
        <translation>Job entfernt</translation>
    </message>
    <message>
        <source>Job without a row</source>
        <translation>Job ohne Zeile</translation>
    </message>
    <message>
        <source>Row retired</source>
        <translation>Zeile aussortiert</translation>
    </message>
    <message>
        <source>Duplicate job</source>
        <translation>Doppelter Job</translation>
    </message>
    <message>
        <source>Stuck execution</source>
        <translation>Hängende Ausführung</translation>
    </message>
    <message>
        <source>Possibly interrupted</source>
        <translation>Möglicherweise unterbrochen</translation>
    </message>
    <message>
        <source>The row is marked done, but there is no job, no receiver&apos;s record and no execution: the event may be lost.</source>
        <translation>Die Zeile ist als erledigt markiert, aber es gibt keinen Job, keinen Vermerk eines Empfängers und keine Ausführung: Das Ereignis kann verloren sein.</translation>
    </message>
    <message>
        <source>The row is done and its job is gone, most likely because the queue removes finished jobs. Nothing to do.</source>
        <translation>Die Zeile ist erledigt und ihr Job ist weg, höchstwahrscheinlich weil die Queue fertige Jobs entfernt. Nichts zu tun.</translation>
    </message>
    <message>
        <source>The job carries an outbox event&apos;s id, and the table has no such row.</source>
        <translation>Der Job trägt die ID eines Outbox-Ereignisses, und die Tabelle hat keine solche Zeile.</translation>
    </message>
    <message>
        <source>The job finished long ago; retention has most likely removed its row. Nothing to do.</source>
        <translation>Der Job endete vor langer Zeit; die Aufbewahrung hat seine Zeile höchstwahrscheinlich entfernt. Nichts zu tun.</translation>
    </message>
    <message>
        <source>Another job stands for the same event: its effect may happen twice.</source>
        <translation>Ein weiterer Job steht für dasselbe Ereignis: Seine Wirkung kann zweimal eintreten.</translation>
    </message>
    <message>
        <source>The execution is queued or running, and neither a row nor a job is on its way that would finish it.</source>
        <translation>Die Ausführung ist eingereiht oder läuft, und weder eine Zeile noch ein Job ist unterwegs, der sie beenden würde.</translation>
    </message>
    <message>
        <source>A stream run lasts longer than usual; a restart of the web process may have ended it.</source>
        <translation>Ein Stream-Lauf dauert länger als üblich; ein Neustart des Webprozesses kann ihn beendet haben.</translation>
    </message>
    <message>
        <source>likely: %1</source>
        <translation>vermutlich: %1</translation>
    </message>
    <message>
        <source>Finding</source>
        <comment>column: what does not fit</comment>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Since</source>
        <comment>column: when it was handed over, added or started</comment>
        <translation>Seit</translation>
    </message>
    <message>
        <source>Id</source>
        <comment>column: of the row, job or execution</comment>
        <translation>ID</translation>
    </message>
    <message>
        <source>Type</source>
        <comment>column: event type, job name or workflow</comment>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Queue</source>
        <comment>column</comment>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Why</source>
        <comment>column: why it is listed</comment>
        <translation>Warum</translation>
    </message>
</context>
<context>
    <name>models::SettingsModel</name>
    <message>
        <source>environment</source>
        <comment>where a setting comes from</comment>
        <translation>Umgebung</translation>
    </message>
    <message>
        <source>default</source>
        <comment>where a setting comes from</comment>
        <translation>Standard</translation>
    </message>
    <message>
        <source>Variable</source>
        <comment>column</comment>
        <translation>Variable</translation>
    </message>
    <message>
        <source>Value</source>
        <comment>column</comment>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Meaning</source>
        <comment>column</comment>
        <translation>Bedeutung</translation>
    </message>
    <message>
        <source>From</source>
        <comment>column: where a setting comes from</comment>
        <translation>Herkunft</translation>
    </message>
</context>
<context>
    <name>models::TimeText</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 min %2 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 h %2 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>%1 d %2 h</source>
        <translation>%1 d %2 h</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 d</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>in %1</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>vor %1</translation>
    </message>
</context>
<context>
    <name>models::Timeline</name>
    <message>
        <source>1 attempt failed</source>
        <translation>1 Versuch fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1 attempts failed</source>
        <translation>%1 Versuche fehlgeschlagen</translation>
    </message>
    <message>
        <source>of at most %1</source>
        <translation>von höchstens %1</translation>
    </message>
    <message>
        <source>next attempt</source>
        <translation>nächster Versuch</translation>
    </message>
    <message>
        <source>due</source>
        <translation>fällig</translation>
    </message>
    <message>
        <source>has no due time</source>
        <translation>hat keine Fälligkeit</translation>
    </message>
    <message>
        <source>due again, waiting for a dispatcher</source>
        <translation>wieder fällig, wartet auf einen Dispatcher</translation>
    </message>
    <message>
        <source>due, waiting for a dispatcher</source>
        <translation>fällig, wartet auf einen Dispatcher</translation>
    </message>
    <message>
        <source>claimed by a dispatcher</source>
        <translation>von einem Dispatcher beansprucht</translation>
    </message>
    <message>
        <source>lease ran out, any dispatcher may take it</source>
        <translation>Lease abgelaufen, jeder Dispatcher darf sie nehmen</translation>
    </message>
    <message>
        <source>claimed, lease ends</source>
        <translation>beansprucht, Lease endet</translation>
    </message>
    <message>
        <source>written</source>
        <translation>geschrieben</translation>
    </message>
    <message>
        <source>handed over</source>
        <translation>übergeben</translation>
    </message>
    <message>
        <source>handed over to %1</source>
        <translation>übergeben an %1</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>nach %1</translation>
    </message>
    <message>
        <source>dead: not tried again by itself</source>
        <translation>Dead Letter: kein weiterer Versuch von selbst</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>status %1 is unknown to this layout</source>
        <translation>dieses Layout kennt den Status %1 nicht</translation>
    </message>
</context>
<context>
    <name>models::TraceModel</name>
    <message>
        <source>Recorded: stored there as it is.</source>
        <translation>Erfasst: dort so gespeichert.</translation>
    </message>
    <message>
        <source>Derived: worked out from stored values.</source>
        <translation>Abgeleitet: aus gespeicherten Werten errechnet.</translation>
    </message>
    <message>
        <source>Likely: the most probable reading of what is stored.</source>
        <translation>Wahrscheinlich: die naheliegendste Deutung des Gespeicherten.</translation>
    </message>
    <message>
        <source>Trace of %1</source>
        <translation>Verlauf von %1</translation>
    </message>
    <message>
        <source>looked at: %1</source>
        <translation>nachgesehen: %1</translation>
    </message>
    <message>
        <source>not known: %1</source>
        <translation>nicht bekannt: %1</translation>
    </message>
    <message>
        <source>Nobody keeps this time.</source>
        <translation>Niemand hält diese Zeit fest.</translation>
    </message>
    <message>
        <source>Time</source>
        <comment>column</comment>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Outbox</source>
        <comment>column: lane of the outbox row</comment>
        <translation>Outbox</translation>
    </message>
    <message>
        <source>Job</source>
        <comment>column: lane of the job</comment>
        <translation>Job</translation>
    </message>
    <message>
        <source>Execution</source>
        <comment>column: lane of the workflow execution</comment>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>What happened</source>
        <comment>column</comment>
        <translation>Was geschah</translation>
    </message>
    <message>
        <source>Source</source>
        <comment>column: table or queue and field</comment>
        <translation>Quelle</translation>
    </message>
</context>
<context>
    <name>models::WorkerGroupModel</name>
    <message>
        <source>Down</source>
        <translation>Ausgefallen</translation>
    </message>
    <message>
        <source>Partly down</source>
        <translation>Teilweise ausgefallen</translation>
    </message>
    <message>
        <source>Look at it</source>
        <translation>Ansehen</translation>
    </message>
    <message>
        <source>No queues</source>
        <translation>Keine Queues</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>Working</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>Nobody there</source>
        <translation>Niemand da</translation>
    </message>
    <message>
        <source>jobs and no worker: %1</source>
        <translation>Jobs und kein Worker: %1</translation>
    </message>
    <message>
        <source>1 queue is paused</source>
        <translation>1 Queue ist angehalten</translation>
    </message>
    <message>
        <source>%1 queues are paused</source>
        <translation>%1 Queues sind angehalten</translation>
    </message>
    <message>
        <source>1 queue cannot be read</source>
        <translation>1 Queue ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1 queues cannot be read</source>
        <translation>%1 Queues sind nicht lesbar</translation>
    </message>
    <message>
        <source>no job waits for them</source>
        <translation>kein Job wartet auf sie</translation>
    </message>
    <message>
        <source>mail</source>
        <comment>group of workers</comment>
        <translation>mail</translation>
    </message>
    <message>
        <source>general</source>
        <comment>group of workers</comment>
        <translation>general</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>queues with workers</comment>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>outbox.mail, outbox.webhook, outbox.marketing, toolctrl.email</source>
        <translation>outbox.mail, outbox.webhook, outbox.marketing, toolctrl.email</translation>
    </message>
    <message>
        <source>outbox.workflow and every other queue</source>
        <translation>outbox.workflow und jede andere Queue</translation>
    </message>
    <message>
        <source>Worker group</source>
        <comment>column</comment>
        <translation>Worker-Gruppe</translation>
    </message>
    <message>
        <source>Health</source>
        <comment>column</comment>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Workers</source>
        <comment>column</comment>
        <translation>Worker</translation>
    </message>
    <message>
        <source>Workers connected to the group&apos;s queues</source>
        <translation>Mit den Queues der Gruppe verbundene Worker</translation>
    </message>
    <message>
        <source>Queues served</source>
        <comment>column</comment>
        <translation>Bedient</translation>
    </message>
    <message>
        <source>Queues with a worker, of those that exist</source>
        <translation>Queues mit einem Worker, von den vorhandenen</translation>
    </message>
    <message>
        <source>Ready</source>
        <comment>column</comment>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Jobs that a worker could take now</source>
        <translation>Jobs, die ein Worker jetzt nehmen könnte</translation>
    </message>
    <message>
        <source>Active</source>
        <comment>column</comment>
        <translation>Aktiv</translation>
    </message>
    <message>
        <source>Failed</source>
        <comment>column</comment>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Stalled</source>
        <comment>column</comment>
        <translation>Hängt</translation>
    </message>
    <message>
        <source>Oldest waiting</source>
        <comment>column</comment>
        <translation>Wartet seit</translation>
    </message>
    <message>
        <source>Note</source>
        <comment>column</comment>
        <translation>Hinweis</translation>
    </message>
</context>
<context>
    <name>models::WorkerModel</name>
    <message>
        <source>none</source>
        <comment>worker</comment>
        <translation>keine</translation>
    </message>
    <message>
        <source>1 job is ready and nobody takes it</source>
        <translation>1 Job ist bereit, und niemand nimmt ihn</translation>
    </message>
    <message>
        <source>%1 jobs are ready and nobody takes them</source>
        <translation>%1 Jobs sind bereit, und niemand nimmt sie</translation>
    </message>
    <message>
        <source>no name</source>
        <translation>ohne Namen</translation>
    </message>
    <message>
        <source>has room, waits for jobs</source>
        <translation>hat Platz, wartet auf Jobs</translation>
    </message>
    <message>
        <source>busy or fetching, quiet for %1</source>
        <translation>beschäftigt oder beim Holen, still seit %1</translation>
    </message>
    <message>
        <source>A worker without a name leaves no trace in its jobs, so nobody can tell which are its own.</source>
        <translation>Ein Worker ohne Namen hinterlässt keine Spur in seinen Jobs; welche seine sind, kann niemand sagen.</translation>
    </message>
    <message>
        <source>Several workers of this queue have the same name, so nobody can tell whose jobs are whose.</source>
        <translation>Mehrere Worker dieser Queue heißen gleich; wessen Jobs wem gehören, kann niemand sagen.</translation>
    </message>
    <message>
        <source>Queue</source>
        <comment>column</comment>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Worker</source>
        <comment>column</comment>
        <translation>Worker</translation>
    </message>
    <message>
        <source>What the worker calls itself; a program may have several</source>
        <translation>Wie der Worker sich nennt; ein Programm kann mehrere haben</translation>
    </message>
    <message>
        <source>Doing</source>
        <comment>column</comment>
        <translation>Tut gerade</translation>
    </message>
    <message>
        <source>Redis sees whether the worker waits for a job, not how many it works on</source>
        <translation>Redis sieht, ob der Worker auf einen Job wartet, nicht, an wie vielen er arbeitet</translation>
    </message>
    <message>
        <source>Active jobs</source>
        <comment>column</comment>
        <translation>Aktive Jobs</translation>
    </message>
    <message>
        <source>Active jobs that carry this worker&apos;s name</source>
        <translation>Aktive Jobs mit dem Namen dieses Workers</translation>
    </message>
    <message>
        <source>Connected for</source>
        <comment>column</comment>
        <translation>Verbunden seit</translation>
    </message>
    <message>
        <source>From</source>
        <comment>column</comment>
        <translation>Herkunft</translation>
    </message>
    <message>
        <source>Where the connection comes from</source>
        <translation>Woher die Verbindung kommt</translation>
    </message>
</context>
<context>
    <name>views::ActionRegistry</name>
    <message>
        <source> or </source>
        <comment>between two keys</comment>
        <translation> oder </translation>
    </message>
</context>
<context>
    <name>views::AlertRow</name>
    <message>
        <source>Open queues</source>
        <translation>Queues öffnen</translation>
    </message>
    <message>
        <source>Open outbox</source>
        <translation>Outbox öffnen</translation>
    </message>
    <message>
        <source>Open executions</source>
        <translation>Ausführungen öffnen</translation>
    </message>
    <message>
        <source>For 15 minutes</source>
        <translation>Für 15 Minuten</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>Für 1 Stunde</translation>
    </message>
    <message>
        <source>For 4 hours</source>
        <translation>Für 4 Stunden</translation>
    </message>
    <message>
        <source>Until tomorrow 09:00</source>
        <translation>Bis morgen 09:00</translation>
    </message>
    <message>
        <source>Snooze this alert</source>
        <translation>Diesen Alarm stummschalten</translation>
    </message>
    <message>
        <source>Wake</source>
        <translation>Wieder melden</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>since %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>Critical: %1</source>
        <translation>Kritisch: %1</translation>
    </message>
    <message>
        <source>Warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
</context>
<context>
    <name>views::AlertRuleDelegate</name>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Critical</source>
        <translation>Kritisch</translation>
    </message>
    <message>
        <source> s</source>
        <comment>seconds, behind a number</comment>
        <translation> s</translation>
    </message>
</context>
<context>
    <name>views::AlertsPage</name>
    <message>
        <source>Alerts</source>
        <translation>Alarme</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>Jetzt</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Alerts, rules and notifications</source>
        <translation>Alarme, Regeln und Benachrichtigungen</translation>
    </message>
    <message>
        <source>Alerts that hold</source>
        <translation>Anstehende Alarme</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Snooze the chosen alert</source>
        <translation>Den gewählten Alarm stummschalten</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Stumm</translation>
    </message>
    <message>
        <source>Wake</source>
        <translation>Wieder melden</translation>
    </message>
    <message>
        <source>Alert rules</source>
        <translation>Alarmregeln</translation>
    </message>
    <message>
        <source>Summary of the dead letters every day at</source>
        <translation>Übersicht der Dead Letters täglich um</translation>
    </message>
    <message>
        <source>Time of the daily summary, local time</source>
        <translation>Uhrzeit der täglichen Übersicht, Ortszeit</translation>
    </message>
    <message>
        <source>Back to the default rules</source>
        <translation>Zurück zu den Standardregeln</translation>
    </message>
    <message>
        <source>local time</source>
        <translation>Ortszeit</translation>
    </message>
    <message>
        <source>Space switches a rule, F2 changes a level, limit, duration or the queues. An alert ends at four fifths of its limit.</source>
        <translation>Die Leertaste schaltet eine Regel, F2 ändert Stufe, Grenze, Dauer oder Queues. Ein Alarm endet bei vier Fünfteln seiner Grenze.</translation>
    </message>
    <message>
        <source>Send a test</source>
        <translation>Test senden</translation>
    </message>
    <message>
        <source>Send a test: %1</source>
        <translation>Test senden: %1</translation>
    </message>
    <message>
        <source>The desktop shows a notification; where it cannot, the system tray does.</source>
        <translation>Die Arbeitsumgebung zeigt eine Benachrichtigung; wo sie das nicht kann, der Infobereich.</translation>
    </message>
    <message>
        <source>Address of: %1</source>
        <translation>Adresse von: %1</translation>
    </message>
    <message>
        <source>Sending…</source>
        <translation>Wird gesendet…</translation>
    </message>
    <message>
        <source>Desktop</source>
        <translation>Desktop</translation>
    </message>
    <message>
        <source>Webhook</source>
        <translation>Webhook</translation>
    </message>
    <message>
        <source>Sentry</source>
        <translation>Sentry</translation>
    </message>
    <message>
        <source>Keep watching while the window is hidden, minimised or paused</source>
        <translation>Weiter überwachen, während das Fenster verborgen, minimiert oder angehalten ist</translation>
    </message>
    <message>
        <source>One look at the database and the queues every 10 s. Otherwise a window that nobody sees asks nothing.</source>
        <translation>Ein Blick auf Datenbank und Queues alle 10 s. Sonst fragt ein Fenster, das niemand sieht, nichts.</translation>
    </message>
    <message>
        <source>Addresses are kept in the desktop&apos;s keyring. A message holds the alert&apos;s words, never a payload.</source>
        <translation>Adressen liegen im Schlüsselbund der Arbeitsumgebung. Eine Nachricht enthält den Text des Alarms, nie eine Nutzlast.</translation>
    </message>
    <message>
        <source>No alert holds</source>
        <translation>Kein Alarm steht an</translation>
    </message>
    <message>
        <source>What the rules say is on the next tab.</source>
        <translation>Die Regeln stehen auf dem nächsten Reiter.</translation>
    </message>
    <message>
        <source>1 holds</source>
        <translation>1 steht an</translation>
    </message>
    <message>
        <source>%1 hold</source>
        <translation>%1 stehen an</translation>
    </message>
</context>
<context>
    <name>views::ComposeDialog</name>
    <message>
        <source>Indent</source>
        <translation>Einrücken</translation>
    </message>
    <message>
        <source>The same as command line</source>
        <translation>Dasselbe als Befehlszeile</translation>
    </message>
    <message>
        <source>Publish event</source>
        <translation>Veröffentlichen</translation>
    </message>
    <message>
        <source>Compose event</source>
        <translation>Ereignis verfassen</translation>
    </message>
    <message>
        <source>Publish event (Ctrl+Return)</source>
        <translation>Ereignis veröffentlichen (Strg+Return)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>&amp;Type</source>
        <translation>&amp;Typ</translation>
    </message>
    <message>
        <source>Event type</source>
        <translation>Ereignistyp</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Te&amp;nant</source>
        <translation>&amp;Mandant</translation>
    </message>
    <message>
        <source>the type&apos;s first word</source>
        <translation>das erste Wort des Typs</translation>
    </message>
    <message>
        <source>the row&apos;s own id</source>
        <translation>die ID der Zeile selbst</translation>
    </message>
    <message>
        <source>Aggregate type</source>
        <translation>Aggregat-Typ</translation>
    </message>
    <message>
        <source>Aggregate id</source>
        <translation>Aggregat-ID</translation>
    </message>
    <message>
        <source>&amp;Aggregate</source>
        <translation>&amp;Aggregat</translation>
    </message>
    <message>
        <source>Payload, JSON</source>
        <translation>Payload, JSON</translation>
    </message>
    <message>
        <source>Lay the payload out; numbers and strings stay as they are typed</source>
        <translation>Die Payload formatieren; Zahlen und Zeichenketten bleiben wie eingegeben</translation>
    </message>
    <message>
        <source>&amp;Payload</source>
        <translation>&amp;Payload</translation>
    </message>
    <message>
        <source>Metadata, JSON</source>
        <translation>Metadaten, JSON</translation>
    </message>
    <message>
        <source>&amp;Metadata</source>
        <translation>Meta&amp;daten</translation>
    </message>
    <message>
        <source>optional: makes publishing twice harmless</source>
        <translation>optional: macht doppeltes Veröffentlichen harmlos</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>Dispatch &amp;key</source>
        <translation>Dispatch-&amp;Key</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>sofort</translation>
    </message>
    <message>
        <source>Delay</source>
        <translation>Verzögerung</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>Sekunden</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>hours</source>
        <translation>Stunden</translation>
    </message>
    <message>
        <source>Unit of the delay</source>
        <translation>Einheit der Verzögerung</translation>
    </message>
    <message>
        <source>&amp;Due</source>
        <translation>&amp;Fällig</translation>
    </message>
    <message>
        <source>In a terminal</source>
        <translation>Im Terminal</translation>
    </message>
    <message>
        <source>No route matches this type, so no dispatcher could hand it over.</source>
        <translation>Keine Route passt zu diesem Typ, kein Dispatcher könnte es übergeben.</translation>
    </message>
    <message>
        <source>Goes to the queue %1</source>
        <translation>Geht an die Queue %1</translation>
    </message>
    <message>
        <source>Valid JSON</source>
        <translation>Gültiges JSON</translation>
    </message>
    <message>
        <source>Publishing…</source>
        <translation>Wird veröffentlicht…</translation>
    </message>
    <message>
        <source>Already published</source>
        <translation>Bereits veröffentlicht</translation>
    </message>
    <message>
        <source>This dispatch key belongs to the event %1. Nothing was written.</source>
        <translation>Dieser Dispatch-Key gehört zum Ereignis %1. Es wurde nichts geschrieben.</translation>
    </message>
    <message>
        <source>Published</source>
        <translation>Veröffentlicht</translation>
    </message>
    <message>
        <source>Event %1</source>
        <translation>Ereignis %1</translation>
    </message>
    <message>
        <source>Outcome unknown</source>
        <translation>Ausgang ungewiss</translation>
    </message>
    <message>
        <source>Not published</source>
        <translation>Nicht veröffentlicht</translation>
    </message>
    <message>
        <source>An event needs a tenant.</source>
        <translation>Ein Ereignis braucht einen Mandanten.</translation>
    </message>
</context>
<context>
    <name>views::ConnectDialog</name>
    <message>
        <source>&amp;Read-only: nothing can be changed over this connection</source>
        <translation>Nur &amp;lesen: über diese Verbindung lässt sich nichts ändern</translation>
    </message>
    <message>
        <source>Pro&amp;duction: colours the window and its dialogs</source>
        <translation>Pro&amp;duktion: färbt das Fenster und seine Dialoge</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>&amp;Connect</source>
        <translation>&amp;Verbinden</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>Verbinden</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Describe a new connection</source>
        <translation>Eine neue Verbindung anlegen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Forget this connection and its passwords</source>
        <translation>Diese Verbindung und ihre Passwörter vergessen</translation>
    </message>
    <message>
        <source>billing-staging</source>
        <translation>billing-staging</translation>
    </message>
    <message>
        <source>found by itself where only one fits</source>
        <translation>wird gefunden, wenn nur eine passt</translation>
    </message>
    <message>
        <source>password, kept in the keyring</source>
        <translation>Passwort, liegt im Schlüsselbund</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>PostgreSQL address</source>
        <translation>PostgreSQL-Adresse</translation>
    </message>
    <message>
        <source>PostgreSQL password</source>
        <translation>PostgreSQL-Passwort</translation>
    </message>
    <message>
        <source>Redis address</source>
        <translation>Redis-Adresse</translation>
    </message>
    <message>
        <source>Redis password</source>
        <translation>Redis-Passwort</translation>
    </message>
    <message>
        <source>Outbox table</source>
        <translation>Outbox-Tabelle</translation>
    </message>
    <message>
        <source>Queue prefix</source>
        <translation>Queue-Präfix</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;PostgreSQL</source>
        <translation>&amp;PostgreSQL</translation>
    </message>
    <message>
        <source>R&amp;edis</source>
        <translation>R&amp;edis</translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation>&amp;Tabelle</translation>
    </message>
    <message>
        <source>&amp;Queue prefix</source>
        <translation>&amp;Queue-Präfix</translation>
    </message>
    <message>
        <source>A private PostgreSQL and Redis on this computer, with sample tables and events. Started and stopped by the console; nothing else can reach them. Everything may be tried here. It holds one table of either layout: public.&quot;OutboxEvent&quot; and public.message_outbox.</source>
        <translation>Ein privates PostgreSQL und Redis auf diesem Rechner, mit Beispieltabellen und -ereignissen. Die Konsole startet und stoppt sie; nichts sonst kann sie erreichen. Hier darf alles ausprobiert werden. Für jedes Layout gibt es eine Tabelle: public.&quot;OutboxEvent&quot; und public.message_outbox.</translation>
    </message>
    <message>
        <source>Tes&amp;t connection</source>
        <translation>Ver&amp;bindung testen</translation>
    </message>
    <message>
        <source>Look at the database, the table, Redis and the queues, reading only</source>
        <translation>Datenbank, Tabelle, Redis und Queues ansehen, nur lesend</translation>
    </message>
    <message>
        <source>Copy findings</source>
        <translation>Befunde kopieren</translation>
    </message>
    <message>
        <source>Findings of the connection test</source>
        <translation>Befunde des Verbindungstests</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Wird geprüft…</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespeichert</translation>
    </message>
    <message>
        <source>PostgreSQL: an address is needed.</source>
        <translation>PostgreSQL: Eine Adresse ist nötig.</translation>
    </message>
    <message>
        <source>Redis: an address is needed.</source>
        <translation>Redis: Eine Adresse ist nötig.</translation>
    </message>
    <message>
        <source>Another connection has this name.</source>
        <translation>Eine andere Verbindung hat diesen Namen.</translation>
    </message>
    <message>
        <source>Give it a name to save it</source>
        <translation>Zum Speichern einen Namen geben</translation>
    </message>
    <message>
        <source>Passwords go to the desktop&apos;s keyring</source>
        <translation>Passwörter kommen in den Schlüsselbund des Desktops</translation>
    </message>
</context>
<context>
    <name>views::ConnectionTag</name>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>Unsaved connection</source>
        <translation>Ungespeicherte Verbindung</translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation>PRODUKTION</translation>
    </message>
</context>
<context>
    <name>views::CopyField</name>
    <message>
        <source>Copy: %1</source>
        <translation>Kopieren: %1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>views::DispatcherPage</name>
    <message>
        <source>Starting</source>
        <translation>Startet</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Recovering</source>
        <translation>Wiederanlauf</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>Stoppt</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>Dispatcher</source>
        <translation>Dispatcher</translation>
    </message>
    <message>
        <source>Claimed</source>
        <translation>Beansprucht</translation>
    </message>
    <message>
        <source>Rows taken from the table</source>
        <translation>Aus der Tabelle genommene Zeilen</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>Übergeben</translation>
    </message>
    <message>
        <source>Rows whose event is in its queue</source>
        <translation>Zeilen, deren Ereignis in seiner Queue ist</translation>
    </message>
    <message>
        <source>Duplicates</source>
        <translation>Doppelt</translation>
    </message>
    <message>
        <source>Handed over before: the job was there already</source>
        <translation>Früher schon übergeben: Der Job war bereits da</translation>
    </message>
    <message>
        <source>Retried</source>
        <translation>Erneut</translation>
    </message>
    <message>
        <source>Attempts that failed and will be made again</source>
        <translation>Fehlgeschlagene Versuche, die wiederholt werden</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>Dead Letter</translation>
    </message>
    <message>
        <source>Rows that will not be tried again by themselves</source>
        <translation>Zeilen, die nicht von selbst erneut versucht werden</translation>
    </message>
    <message>
        <source>Lease lost</source>
        <translation>Lease weg</translation>
    </message>
    <message>
        <source>Settled too late: another dispatcher holds the row, nothing was changed</source>
        <translation>Zu spät abgeschlossen: Ein anderer Dispatcher hält die Zeile, nichts wurde geändert</translation>
    </message>
    <message>
        <source>Released</source>
        <translation>Freigegeben</translation>
    </message>
    <message>
        <source>Given back without an attempt</source>
        <translation>Ohne Versuch zurückgegeben</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>Unterwegs</translation>
    </message>
    <message>
        <source>Claimed and not settled yet</source>
        <translation>Beansprucht und noch nicht abgeschlossen</translation>
    </message>
    <message>
        <source>Start or stop the dispatcher</source>
        <translation>Dispatcher starten oder stoppen</translation>
    </message>
    <message>
        <source>Dispatcher log</source>
        <translation>Dispatcher-Protokoll</translation>
    </message>
    <message>
        <source>Lowest level shown</source>
        <translation>Niedrigste gezeigte Stufe</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Errors only</source>
        <translation>Nur Fehler</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>Protokoll kopieren</translation>
    </message>
    <message>
        <source>Copy the entries shown</source>
        <translation>Die gezeigten Einträge kopieren</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Empty this list</source>
        <translation>Diese Liste leeren</translation>
    </message>
    <message>
        <source>Settings in force</source>
        <translation>Geltende Einstellungen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Log and settings</source>
        <translation>Protokoll und Einstellungen</translation>
    </message>
    <message>
        <source>Start dispatcher</source>
        <translation>Dispatcher starten</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Stoppt…</translation>
    </message>
    <message>
        <source>Stop dispatcher</source>
        <translation>Dispatcher stoppen</translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation>Diese Verbindung ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>Start or stop (Ctrl+D)</source>
        <translation>Starten oder stoppen (Strg+D)</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>seit %1</translation>
    </message>
    <message>
        <source>Other dispatchers of this table go on working.</source>
        <translation>Andere Dispatcher dieser Tabelle arbeiten weiter.</translation>
    </message>
    <message>
        <source>It tries again by itself, and no attempt is counted.</source>
        <translation>Er versucht es von selbst erneut, ein Versuch wird dabei nicht gezählt.</translation>
    </message>
    <message>
        <source>Cannot work now</source>
        <translation>Kann gerade nicht arbeiten</translation>
    </message>
    <message>
        <source>Cannot work for %1 now</source>
        <translation>Kann seit %1 nicht arbeiten</translation>
    </message>
    <message>
        <source>This connection is read-only</source>
        <translation>Diese Verbindung ist schreibgeschützt</translation>
    </message>
    <message>
        <source>Dispatching writes to the table. To allow it, clear “Read-only” in the connection.</source>
        <translation>Das Zustellen schreibt in die Tabelle. Um es zu erlauben, „Nur lesen“ in der Verbindung abwählen.</translation>
    </message>
    <message>
        <source>Open connection…</source>
        <translation>Verbindung öffnen…</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>Achtung</translation>
    </message>
</context>
<context>
    <name>views::DocumentView</name>
    <message>
        <source>Copy selection</source>
        <translation>Auswahl kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>Save to a file…</source>
        <translation>In eine Datei sichern…</translation>
    </message>
</context>
<context>
    <name>views::ExecutionDetailPane</name>
    <message>
        <source>Execution id</source>
        <translation>Ausführungs-ID</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>JSON</source>
        <comment>button: the steps as stored</comment>
        <translation>JSON</translation>
    </message>
    <message>
        <source>Step</source>
        <comment>column</comment>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Status</source>
        <comment>column</comment>
        <translation>Status</translation>
    </message>
    <message>
        <source>Took</source>
        <comment>column: duration of a step</comment>
        <translation>Dauerte</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Verfolgen</translation>
    </message>
    <message>
        <source>Follow this execution back to its event (Ctrl+T)</source>
        <translation>Diese Ausführung zu ihrem Ereignis zurückverfolgen (Strg+T)</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>The command that shows this execution in a terminal</source>
        <translation>Der Befehl, der diese Ausführung im Terminal zeigt</translation>
    </message>
    <message>
        <source>Show the JSON of the steps instead of the list</source>
        <translation>Das JSON der Schritte statt der Liste zeigen</translation>
    </message>
    <message>
        <source>Reading the execution…</source>
        <translation>Die Ausführung wird gelesen…</translation>
    </message>
    <message>
        <source>Choose an execution to see its steps and its error.</source>
        <translation>Eine Ausführung wählen, um ihre Schritte und ihren Fehler zu sehen.</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Workflow</source>
        <translation>Workflow</translation>
    </message>
    <message>
        <source>Trigger</source>
        <translation>Auslöser</translation>
    </message>
    <message>
        <source>%1: without an outbox row</source>
        <translation>%1: ohne Outbox-Zeile</translation>
    </message>
    <message>
        <source>Event</source>
        <translation>Ereignis</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>Eingereiht</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>Begonnen</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
</context>
<context>
    <name>views::ExecutionFilterBar</name>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>workflow id is…</source>
        <translation>Workflow-ID ist…</translation>
    </message>
    <message>
        <source>Workflow id is</source>
        <translation>Workflow-ID ist</translation>
    </message>
    <message>
        <source>tenant is…</source>
        <translation>Mandant ist…</translation>
    </message>
    <message>
        <source>Tenant is</source>
        <translation>Mandant ist</translation>
    </message>
    <message>
        <source>error contains…</source>
        <translation>Fehler enthält…</translation>
    </message>
    <message>
        <source>Error contains</source>
        <translation>Fehler enthält</translation>
    </message>
    <message>
        <source>Queued since</source>
        <translation>Eingereiht seit</translation>
    </message>
    <message>
        <source>any time</source>
        <translation>jederzeit</translation>
    </message>
    <message>
        <source>last hour</source>
        <translation>letzte Stunde</translation>
    </message>
    <message>
        <source>last 24 hours</source>
        <translation>letzte 24 Stunden</translation>
    </message>
    <message>
        <source>last 7 days</source>
        <translation>letzte 7 Tage</translation>
    </message>
    <message>
        <source>last 30 days</source>
        <translation>letzte 30 Tage</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Show all executions again</source>
        <translation>Wieder alle Ausführungen zeigen</translation>
    </message>
    <message>
        <source>longer than usual</source>
        <translation>länger als üblich</translation>
    </message>
    <message>
        <source>Queued or running longer than the workflow&apos;s own runs usually take</source>
        <translation>Länger eingereiht oder laufend, als die Läufe des Workflows üblicherweise dauern</translation>
    </message>
    <message>
        <source>Only executions that take longer than usual</source>
        <translation>Nur Ausführungen, die länger als üblich dauern</translation>
    </message>
    <message>
        <source>Only %1. %2</source>
        <translation>Nur %1. %2</translation>
    </message>
    <message>
        <source>The count is of the whole table, whatever the filter.</source>
        <translation>Gezählt wird die ganze Tabelle, unabhängig vom Filter.</translation>
    </message>
</context>
<context>
    <name>views::ExecutionsPage</name>
    <message>
        <source>Workflow executions</source>
        <translation>Workflow-Ausführungen</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Newer</source>
        <translation>Neuere</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Ältere</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Executions</source>
        <translation>Ausführungen</translation>
    </message>
    <message>
        <source>Newest executions</source>
        <translation>Neueste Ausführungen</translation>
    </message>
    <message>
        <source>Newer executions</source>
        <translation>Neuere Ausführungen</translation>
    </message>
    <message>
        <source>Older executions</source>
        <translation>Ältere Ausführungen</translation>
    </message>
    <message>
        <source>Filter by workflow</source>
        <translation>Nach Workflow filtern</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>Trace the execution</source>
        <translation>Ausführung verfolgen</translation>
    </message>
    <message>
        <source>Copy the execution as command line</source>
        <translation>Ausführung als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>No execution matches the filter</source>
        <translation>Keine Ausführung passt zum Filter</translation>
    </message>
    <message>
        <source>Counts on the buttons above are of the whole table.</source>
        <translation>Die Zahlen auf den Schaltflächen oben gelten für die ganze Tabelle.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>There are no executions</source>
        <translation>Es gibt keine Ausführungen</translation>
    </message>
    <message>
        <source>They appear here as soon as a workflow is started.</source>
        <translation>Sie erscheinen hier, sobald ein Workflow gestartet wird.</translation>
    </message>
    <message>
        <source>The executions below are from the last answer.</source>
        <translation>Die Ausführungen unten stammen aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>The newest %1 executions</source>
        <translation>Die neuesten %1 Ausführungen</translation>
    </message>
    <message>
        <source>All %1 executions</source>
        <translation>Alle %1 Ausführungen</translation>
    </message>
    <message>
        <source>%1 executions, older and newer ones exist</source>
        <translation>%1 Ausführungen, es gibt ältere und neuere</translation>
    </message>
    <message>
        <source>The oldest %1 executions</source>
        <translation>Die ältesten %1 Ausführungen</translation>
    </message>
</context>
<context>
    <name>views::FindBar</name>
    <message>
        <source>Previous place</source>
        <translation>Vorige Stelle</translation>
    </message>
    <message>
        <source>Next place</source>
        <translation>Nächste Stelle</translation>
    </message>
    <message>
        <source>Close the search</source>
        <translation>Suche schließen</translation>
    </message>
    <message>
        <source>Find in this document</source>
        <translation>In diesem Dokument suchen</translation>
    </message>
    <message>
        <source>Previous place (Shift+F3)</source>
        <translation>Vorige Stelle (Umschalt+F3)</translation>
    </message>
    <message>
        <source>Next place (F3)</source>
        <translation>Nächste Stelle (F3)</translation>
    </message>
    <message>
        <source>Close the search (Esc)</source>
        <translation>Suche schließen (Esc)</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>Nicht gefunden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>place of places found</comment>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>views::FindDialog</name>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Page, action, queue, or the id of a row, job or execution</source>
        <translation>Seite, Aktion, Queue oder die ID einer Zeile, eines Jobs oder einer Ausführung</translation>
    </message>
    <message>
        <source>Find a page, action, queue or id</source>
        <translation>Seite, Aktion, Queue oder ID suchen</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>Gefundenes</translation>
    </message>
    <message>
        <source>Up and Down choose, Enter opens, Escape closes</source>
        <translation>Auf und Ab wählen, Eingabe öffnet, Escape schließt</translation>
    </message>
</context>
<context>
    <name>views::HeaderBar</name>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>Zugriff</translation>
    </message>
    <message>
        <source>Time zone of shown times</source>
        <translation>Zeitzone der gezeigten Zeiten</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Pause refreshing</source>
        <translation>Aktualisierung anhalten</translation>
    </message>
    <message>
        <source>Refresh interval</source>
        <translation>Aktualisierungsintervall</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>Menü</translation>
    </message>
    <message>
        <source>UTC</source>
        <translation>UTC</translation>
    </message>
    <message>
        <source>Local time</source>
        <translation>Ortszeit</translation>
    </message>
    <message>
        <source>Time zone of all times shown (%1)</source>
        <translation>Zeitzone aller gezeigten Zeiten (%1)</translation>
    </message>
    <message>
        <source>Every %1 s</source>
        <translation>Alle %1 s</translation>
    </message>
    <message>
        <source>How often the page in view is read again</source>
        <translation>Wie oft die gezeigte Seite neu gelesen wird</translation>
    </message>
    <message>
        <source>Menu (%1)</source>
        <translation>Menü (%1)</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>Unsaved connection</source>
        <translation>Ungespeicherte Verbindung</translation>
    </message>
    <message>
        <source>PRODUCTION</source>
        <translation>PRODUKTION</translation>
    </message>
    <message>
        <source>Read-only</source>
        <translation>Nur lesen</translation>
    </message>
    <message>
        <source>Writable</source>
        <translation>Schreibbar</translation>
    </message>
    <message>
        <source>Nothing can be changed over this connection. Click to change that.</source>
        <translation>Über diese Verbindung lässt sich nichts ändern. Klicken, um das zu ändern.</translation>
    </message>
    <message>
        <source>Events can be published and dispatched over this connection. Click to change that.</source>
        <translation>Über diese Verbindung lassen sich Ereignisse veröffentlichen und zustellen. Klicken, um das zu ändern.</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Pausiert</translation>
    </message>
    <message>
        <source>Resume refreshing (%1)</source>
        <translation>Aktualisierung fortsetzen (%1)</translation>
    </message>
    <message>
        <source>Pause refreshing (%1)</source>
        <translation>Aktualisierung anhalten (%1)</translation>
    </message>
    <message>
        <source>Resume refreshing</source>
        <translation>Aktualisierung fortsetzen</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Find a page, action or id   %1</source>
        <translation>Seite, Aktion oder ID suchen   %1</translation>
    </message>
</context>
<context>
    <name>views::JobDetailPane</name>
    <message>
        <source>Job id</source>
        <translation>Job-ID</translation>
    </message>
    <message>
        <source>Error and stack traces</source>
        <translation>Fehler und Stacktraces</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Children</source>
        <translation>Kinder</translation>
    </message>
    <message>
        <source>Open parent</source>
        <translation>Elternjob öffnen</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Parts of the job</source>
        <translation>Teile des Jobs</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>The command that shows this job in a terminal</source>
        <translation>Der Befehl, der diesen Job im Terminal zeigt</translation>
    </message>
    <message>
        <source>Reading the job…</source>
        <translation>Job wird gelesen …</translation>
    </message>
    <message>
        <source>This job is gone</source>
        <translation>Dieser Job ist weg</translation>
    </message>
    <message>
        <source>What you see was read before that.</source>
        <translation>Was zu sehen ist, wurde vorher gelesen.</translation>
    </message>
    <message>
        <source>Choose a job to see its data, its errors and its times.</source>
        <translation>Einen Job wählen, um Daten, Fehler und Zeiten zu sehen.</translation>
    </message>
    <message>
        <source>no name</source>
        <translation>ohne Namen</translation>
    </message>
    <message>
        <source>Stalled</source>
        <translation>Hängt</translation>
    </message>
    <message>
        <source>1 stack trace</source>
        <translation>1 Stacktrace</translation>
    </message>
    <message>
        <source>%1 stack traces, newest first</source>
        <translation>%1 Stacktraces, neuester zuerst</translation>
    </message>
    <message>
        <source>No attempt has failed.</source>
        <translation>Kein Versuch ist gescheitert.</translation>
    </message>
    <message>
        <source>the last %1 of %2 lines</source>
        <translation>die letzten %1 von %2 Zeilen</translation>
    </message>
    <message>
        <source>1 line</source>
        <translation>1 Zeile</translation>
    </message>
    <message>
        <source>%1 lines</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>The job has logged nothing.</source>
        <translation>Der Job hat nichts protokolliert.</translation>
    </message>
    <message>
        <source>Where Redis keeps this time: %1</source>
        <translation>Wo Redis diese Zeit hält: %1</translation>
    </message>
    <message>
        <source>not finished  %1</source>
        <translation>offen  %1</translation>
    </message>
    <message>
        <source>failed  %1</source>
        <translation>gescheitert  %1</translation>
    </message>
    <message>
        <source>failed, ignored  %1  %2</source>
        <translation>gescheitert, ignoriert  %1  %2</translation>
    </message>
    <message>
        <source>completed  %1  %2</source>
        <translation>erledigt  %1  %2</translation>
    </message>
    <message>
        <source>%1 of %2 children</source>
        <translation>%1 von %2 Kindern</translation>
    </message>
    <message>
        <source>Return value</source>
        <translation>Rückgabewert</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Documents of the job</source>
        <translation>Dokumente des Jobs</translation>
    </message>
</context>
<context>
    <name>views::JobPager</name>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Previous</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Last</source>
        <translation>Letzte</translation>
    </message>
    <message>
        <source>Oldest first</source>
        <translation>Älteste zuerst</translation>
    </message>
    <message>
        <source>Oldest</source>
        <translation>Älteste</translation>
    </message>
    <message>
        <source>First page of jobs</source>
        <translation>Erste Seite der Jobs</translation>
    </message>
    <message>
        <source>Previous page of jobs</source>
        <translation>Vorige Seite der Jobs</translation>
    </message>
    <message>
        <source>Next page of jobs</source>
        <translation>Nächste Seite der Jobs</translation>
    </message>
    <message>
        <source>Last page of jobs</source>
        <translation>Letzte Seite der Jobs</translation>
    </message>
    <message>
        <source>Oldest first: next to run, due soonest, finished first</source>
        <translation>Älteste zuerst: als nächste an der Reihe, zuerst fällig, zuerst beendet</translation>
    </message>
    <message>
        <source>%1–%2 of %3</source>
        <translation>%1–%2 von %3</translation>
    </message>
</context>
<context>
    <name>views::JobSearchLine</name>
    <message>
        <source>“%1”: %2 found, looked at %3 of %4 jobs (%5)</source>
        <translation>„%1“: %2 gefunden, %3 von %4 Jobs angesehen (%5)</translation>
    </message>
    <message>
        <source>enough, more are not listed</source>
        <translation>genug, weitere werden nicht aufgeführt</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
</context>
<context>
    <name>views::JobsPage</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Open id</source>
        <translation>ID öffnen</translation>
    </message>
    <message>
        <source>Jobs</source>
        <translation>Jobs</translation>
    </message>
    <message>
        <source>State of the jobs</source>
        <translation>Zustand der Jobs</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Queue</translation>
    </message>
    <message>
        <source>no queue chosen</source>
        <translation>keine Queue gewählt</translation>
    </message>
    <message>
        <source>in id, name, data or error…</source>
        <translation>in ID, Name, Daten oder Fehler …</translation>
    </message>
    <message>
        <source>Search in id, name, data or error</source>
        <translation>In ID, Name, Daten oder Fehler suchen</translation>
    </message>
    <message>
        <source>Search jobs</source>
        <translation>Jobs durchsuchen</translation>
    </message>
    <message>
        <source>Open the job whose id is typed</source>
        <translation>Job mit der eingegebenen ID öffnen</translation>
    </message>
    <message>
        <source>Open the job with exactly this id, in whatever state (Ctrl+Return)</source>
        <translation>Den Job mit genau dieser ID öffnen, in welchem Zustand auch immer (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>Stop searching, back to the list</source>
        <translation>Suche beenden, zurück zur Liste</translation>
    </message>
    <message>
        <source>Choose the queue</source>
        <translation>Queue wählen</translation>
    </message>
    <message>
        <source>Copy the job&apos;s id</source>
        <translation>ID des Jobs kopieren</translation>
    </message>
    <message>
        <source>Copy the job as command line</source>
        <translation>Job als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Show the job&apos;s data</source>
        <translation>Daten des Jobs zeigen</translation>
    </message>
    <message>
        <source>Show the job&apos;s errors</source>
        <translation>Fehler des Jobs zeigen</translation>
    </message>
    <message>
        <source>Show the job&apos;s options</source>
        <translation>Optionen des Jobs zeigen</translation>
    </message>
    <message>
        <source>Show the job&apos;s logs</source>
        <translation>Protokoll des Jobs zeigen</translation>
    </message>
    <message>
        <source>Show the job&apos;s times</source>
        <translation>Zeiten des Jobs zeigen</translation>
    </message>
    <message>
        <source>Choose a queue</source>
        <translation>Queue wählen</translation>
    </message>
    <message>
        <source>Open one on the Queues page, or choose it above (Ctrl+J).</source>
        <translation>Auf der Seite Queues eine öffnen oder oben wählen (Strg+J).</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen…</translation>
    </message>
    <message>
        <source>No job of %1 is in this state</source>
        <translation>Kein Job von %1 ist in diesem Zustand</translation>
    </message>
    <message>
        <source>The figures on the tabs above are of this moment.</source>
        <translation>Die Zahlen auf den Reitern oben sind von diesem Augenblick.</translation>
    </message>
    <message>
        <source>The jobs below are from the last answer.</source>
        <translation>Die Jobs unten sind aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>pausiert</translation>
    </message>
    <message>
        <source>no worker</source>
        <translation>kein Worker</translation>
    </message>
    <message>
        <source>1 worker</source>
        <translation>1 Worker</translation>
    </message>
    <message>
        <source>%1 workers</source>
        <translation>%1 Worker</translation>
    </message>
    <message>
        <source>%1 stalled</source>
        <translation>%1 hängen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>No job in this state holds “%1”</source>
        <translation>Kein Job in diesem Zustand enthält „%1“</translation>
    </message>
    <message>
        <source>Nothing found so far</source>
        <translation>Bisher nichts gefunden</translation>
    </message>
    <message>
        <source>Searched are id, name, data and error, whatever the case; stack traces are not.</source>
        <translation>Durchsucht werden ID, Name, Daten und Fehler ohne Rücksicht auf Groß- und Kleinschreibung; Stacktraces nicht.</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>Zurück zur Liste</translation>
    </message>
</context>
<context>
    <name>views::JsonEdit</name>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
</context>
<context>
    <name>views::JsonView</name>
    <message>
        <source>Copy payload</source>
        <translation>Payload kopieren</translation>
    </message>
    <message>
        <source>Save payload to a file</source>
        <translation>Payload in eine Datei speichern</translation>
    </message>
    <message>
        <source>Formatted</source>
        <translation>Formatiert</translation>
    </message>
    <message>
        <source>As stored</source>
        <translation>Wie gespeichert</translation>
    </message>
    <message>
        <source>Payload view</source>
        <translation>Ansicht der Payload</translation>
    </message>
    <message>
        <source>Copy the payload as stored</source>
        <translation>Die Payload wie gespeichert kopieren</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>Save payload</source>
        <translation>Payload speichern</translation>
    </message>
    <message>
        <source>Saved to %1.</source>
        <translation>In %1 gespeichert.</translation>
    </message>
    <message>
        <source>Find in this document</source>
        <translation>In diesem Dokument suchen</translation>
    </message>
    <message>
        <source>Find in this document (Ctrl+F while it has the focus)</source>
        <translation>In diesem Dokument suchen (Strg+F, solange es den Fokus hat)</translation>
    </message>
    <message>
        <source>Save the payload as stored… (Ctrl+S while it has the focus)</source>
        <translation>Payload wie gespeichert sichern… (Strg+S, solange sie den Fokus hat)</translation>
    </message>
    <message>
        <source>Nothing is stored.</source>
        <translation>Nichts gespeichert.</translation>
    </message>
    <message>
        <source>The selection is no text. Save the whole to a file instead.</source>
        <translation>Die Auswahl ist kein Text. Sichern Sie stattdessen das Ganze in eine Datei.</translation>
    </message>
    <message>
        <source>Decoded</source>
        <translation>Entpackt</translation>
    </message>
    <message>
        <source>Looking at what this is…</source>
        <translation>Wird untersucht…</translation>
    </message>
    <message>
        <source>Reading the rest of %1…</source>
        <translation>Der Rest von %1 wird gelesen…</translation>
    </message>
    <message>
        <source>The first %1 of %2; saving takes all.</source>
        <translation>Die ersten %1 von %2; gesichert wird alles.</translation>
    </message>
    <message>
        <source>The rest could not be read: %1</source>
        <translation>Der Rest war nicht zu lesen: %1</translation>
    </message>
    <message>
        <source>%1 are too much to copy. Save them to a file instead.</source>
        <translation>%1 sind zu viel zum Kopieren. Sichern Sie sie stattdessen in eine Datei.</translation>
    </message>
    <message>
        <source>It is copied as soon as all of it is here.</source>
        <translation>Es wird kopiert, sobald alles da ist.</translation>
    </message>
    <message>
        <source>The stored bytes are no text, so nothing was copied. Save them to a file instead.</source>
        <translation>Die gespeicherten Bytes sind kein Text, deshalb wurde nichts kopiert. Sichern Sie sie stattdessen in eine Datei.</translation>
    </message>
    <message>
        <source>Copied as stored, %1.</source>
        <translation>Wie gespeichert kopiert, %1.</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>Wird gesichert…</translation>
    </message>
</context>
<context>
    <name>views::KeyboardDialog</name>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>List of keys</source>
        <translation>Liste der Tasten</translation>
    </message>
</context>
<context>
    <name>views::MainWindow</name>
    <message>
        <source>Outbox Console</source>
        <translation>Outbox Console</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Connect…</source>
        <translation>Verbinden…</translation>
    </message>
    <message>
        <source>Compose event…</source>
        <translation>Ereignis verfassen…</translation>
    </message>
    <message>
        <source>Refresh now</source>
        <translation>Jetzt aktualisieren</translation>
    </message>
    <message>
        <source>Pause or resume refreshing</source>
        <translation>Aktualisierung anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Switch between UTC and local time</source>
        <translation>Zwischen UTC und Ortszeit wechseln</translation>
    </message>
    <message>
        <source>Keyboard…</source>
        <translation>Tastatur…</translation>
    </message>
    <message>
        <source>Open the menu</source>
        <translation>Menü öffnen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Like the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>About Outbox Console…</source>
        <translation>Über Outbox Console…</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>Sandbox</translation>
    </message>
    <message>
        <source>%1 (PRODUCTION) – Outbox Console</source>
        <translation>%1 (PRODUKTION) – Outbox Console</translation>
    </message>
    <message>
        <source>%1 – Outbox Console</source>
        <translation>%1 – Outbox Console</translation>
    </message>
    <message>
        <source>About Outbox Console</source>
        <translation>Über Outbox Console</translation>
    </message>
    <message>
        <source>Outbox Console %1</source>
        <translation>Outbox Console %1</translation>
    </message>
    <message>
        <source>Watch, dispatch and repair transactional outboxes.
Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Transaktionale Outboxes beobachten, zustellen und reparieren.
Freie Software unter der GNU General Public License, Version 3 oder später.</translation>
    </message>
    <message>
        <source>Find…</source>
        <translation>Suchen…</translation>
    </message>
    <message>
        <source>In a document</source>
        <translation>In einem Dokument</translation>
    </message>
    <message>
        <source>Find, next and previous place</source>
        <translation>Suchen, nächste und vorige Stelle</translation>
    </message>
    <message>
        <source>Save to a file</source>
        <translation>In eine Datei sichern</translation>
    </message>
</context>
<context>
    <name>views::NavigationBar</name>
    <message>
        <source>999+</source>
        <translation>999+</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>page, number</comment>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>views::OutboxDetailPane</name>
    <message>
        <source>Event id</source>
        <translation>Ereignis-ID</translation>
    </message>
    <message>
        <source>Last error</source>
        <translation>Letzter Fehler</translation>
    </message>
    <message>
        <source>Compose similar…</source>
        <translation>Als Vorlage…</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>The command that shows this row in a terminal</source>
        <translation>Der Befehl, der diese Zeile im Terminal zeigt</translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation>Diese Verbindung ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>Compose a new event of this type with this payload</source>
        <translation>Ein neues Ereignis dieses Typs mit dieser Payload verfassen</translation>
    </message>
    <message>
        <source>Reading the row…</source>
        <translation>Zeile wird gelesen…</translation>
    </message>
    <message>
        <source>Choose a row to see its timeline, its last error and its payload.</source>
        <translation>Eine Zeile wählen, um Verlauf, letzten Fehler und Payload zu sehen.</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Destination</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>no route for this type</source>
        <translation>keine Route für diesen Typ</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>Aggregate</source>
        <translation>Aggregat</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>Metadaten</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Verfolgen</translation>
    </message>
    <message>
        <source>Follow this row through its job and its execution (Ctrl+T)</source>
        <translation>Diese Zeile durch ihren Job und ihre Ausführung verfolgen (Strg+T)</translation>
    </message>
    <message>
        <source>This payload is too long to edit here. Save it to a file, then publish it.</source>
        <translation>Diese Payload ist zu lang, um sie hier zu bearbeiten. Sichern Sie sie in eine Datei und veröffentlichen Sie diese.</translation>
    </message>
</context>
<context>
    <name>views::OutboxFilterBar</name>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>type starts with…</source>
        <translation>Typ beginnt mit…</translation>
    </message>
    <message>
        <source>Event type starts with</source>
        <translation>Ereignistyp beginnt mit</translation>
    </message>
    <message>
        <source>tenant is…</source>
        <translation>Mandant ist…</translation>
    </message>
    <message>
        <source>Tenant is</source>
        <translation>Mandant ist</translation>
    </message>
    <message>
        <source>error contains…</source>
        <translation>Fehler enthält…</translation>
    </message>
    <message>
        <source>Last error contains</source>
        <translation>Letzter Fehler enthält</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Leeren</translation>
    </message>
    <message>
        <source>Show all rows again</source>
        <translation>Wieder alle Zeilen zeigen</translation>
    </message>
    <message>
        <source>Only %1. %2</source>
        <translation>Nur %1. %2</translation>
    </message>
    <message>
        <source>The count is of the whole table, whatever the filter.</source>
        <translation>Gezählt wird die ganze Tabelle, unabhängig vom Filter.</translation>
    </message>
</context>
<context>
    <name>views::OutboxList</name>
    <message>
        <source>Outbox rows</source>
        <translation>Outbox-Zeilen</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>Neueste</translation>
    </message>
    <message>
        <source>Newer</source>
        <translation>Neuere</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Ältere</translation>
    </message>
    <message>
        <source>Oldest</source>
        <translation>Älteste</translation>
    </message>
    <message>
        <source>Newest rows</source>
        <translation>Neueste Zeilen</translation>
    </message>
    <message>
        <source>Newer rows</source>
        <translation>Neuere Zeilen</translation>
    </message>
    <message>
        <source>Older rows</source>
        <translation>Ältere Zeilen</translation>
    </message>
    <message>
        <source>Oldest rows</source>
        <translation>Älteste Zeilen</translation>
    </message>
    <message>
        <source>Stop the search</source>
        <translation>Suche anhalten</translation>
    </message>
    <message>
        <source>Newest and oldest row</source>
        <translation>Neueste und älteste Zeile</translation>
    </message>
    <message>
        <source>Home, End</source>
        <comment>keys</comment>
        <translation>Pos1, Ende</translation>
    </message>
    <message>
        <source>The position is estimated from the database&apos;s statistics; rows are read by their place in the order.</source>
        <translation>Die Position ist aus der Statistik der Datenbank geschätzt; gelesen werden die Zeilen nach ihrem Platz in der Reihenfolge.</translation>
    </message>
    <message>
        <source>The position is estimated as if rows were spread evenly over time; rows are read by their place in the order.</source>
        <translation>Die Position ist geschätzt, als wären die Zeilen gleichmäßig über die Zeit verteilt; gelesen werden sie nach ihrem Platz in der Reihenfolge.</translation>
    </message>
</context>
<context>
    <name>views::OutboxPage</name>
    <message>
        <source>Outbox</source>
        <translation>Outbox</translation>
    </message>
    <message>
        <source>Compose event…</source>
        <translation>Ereignis verfassen…</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Filter by type</source>
        <translation>Nach Typ filtern</translation>
    </message>
    <message>
        <source>Clear all filters</source>
        <translation>Alle Filter leeren</translation>
    </message>
    <message>
        <source>Copy the row&apos;s id</source>
        <translation>ID der Zeile kopieren</translation>
    </message>
    <message>
        <source>Copy the row as command line</source>
        <translation>Zeile als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>Pause or resume refreshing</source>
        <translation>Aktualisierung anhalten oder fortsetzen</translation>
    </message>
    <message>
        <source>Space</source>
        <comment>key</comment>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Copy the chosen rows</source>
        <translation>Gewählte Zeilen kopieren</translation>
    </message>
    <message>
        <source>This connection is read-only. Allow writing in its settings (Ctrl+O) first.</source>
        <translation>Diese Verbindung ist schreibgeschützt. Zuerst in ihren Einstellungen (Strg+O) das Schreiben erlauben.</translation>
    </message>
    <message>
        <source>Write a new event (Ctrl+N)</source>
        <translation>Ein neues Ereignis schreiben (Strg+N)</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen…</translation>
    </message>
    <message>
        <source>No row matches the filter</source>
        <translation>Keine Zeile passt zum Filter</translation>
    </message>
    <message>
        <source>Counts on the buttons above are of the whole table.</source>
        <translation>Die Zahlen auf den Schaltflächen oben gelten für die ganze Tabelle.</translation>
    </message>
    <message>
        <source>Clear the filter</source>
        <translation>Filter leeren</translation>
    </message>
    <message>
        <source>The table is empty</source>
        <translation>Die Tabelle ist leer</translation>
    </message>
    <message>
        <source>Events appear here as soon as an application writes them.</source>
        <translation>Ereignisse erscheinen hier, sobald eine Anwendung sie schreibt.</translation>
    </message>
    <message>
        <source>Compose an event…</source>
        <translation>Ereignis verfassen…</translation>
    </message>
    <message>
        <source>Name the one you mean in the connection&apos;s Table field.</source>
        <translation>Die gemeinte im Feld „Tabelle“ der Verbindung angeben.</translation>
    </message>
    <message>
        <source>Open connection…</source>
        <translation>Verbindung öffnen…</translation>
    </message>
    <message>
        <source>The rows below are from the last answer.</source>
        <translation>Die Zeilen unten stammen aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>number of rows unavailable</source>
        <translation>Zahl der Zeilen nicht verfügbar</translation>
    </message>
    <message>
        <source>%1 rows</source>
        <translation>%1 Zeilen</translation>
    </message>
    <message>
        <source>Trace the row</source>
        <translation>Zeile verfolgen</translation>
    </message>
</context>
<context>
    <name>views::OverviewPage</name>
    <message>
        <source>15 min</source>
        <translation>15 min</translation>
    </message>
    <message>
        <source>1 h</source>
        <translation>1 h</translation>
    </message>
    <message>
        <source>6 h</source>
        <translation>6 h</translation>
    </message>
    <message>
        <source>24 h</source>
        <translation>24 h</translation>
    </message>
    <message>
        <source>7 d</source>
        <translation>7 T</translation>
    </message>
    <message>
        <source>30 d</source>
        <translation>30 T</translation>
    </message>
    <message>
        <source>What is wrong now</source>
        <translation>Was jetzt nicht stimmt</translation>
    </message>
    <message>
        <source>Show the last %1</source>
        <translation>Die letzten %1 zeigen</translation>
    </message>
    <message>
        <source>Nothing is wrong</source>
        <translation>Alles in Ordnung</translation>
    </message>
    <message>
        <source>No alert holds on this connection.</source>
        <translation>Auf dieser Verbindung steht kein Alarm an.</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Values of a chart at a moment, while it has the focus</source>
        <translation>Werte eines Diagramms zu einem Zeitpunkt, während es den Fokus hat</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>Links, Rechts</translation>
    </message>
    <message>
        <source>Due, not claimed</source>
        <translation>Fällig, nicht beansprucht</translation>
    </message>
    <message>
        <source>Rows that a dispatcher could take now</source>
        <translation>Zeilen, die ein Dispatcher jetzt übernehmen könnte</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>Unterwegs</translation>
    </message>
    <message>
        <source>Rows that a dispatcher has claimed</source>
        <translation>Zeilen, die ein Dispatcher beansprucht hat</translation>
    </message>
    <message>
        <source>Waiting for retry</source>
        <translation>Warten auf Wiederholung</translation>
    </message>
    <message>
        <source>Rows that failed at least once; their next attempt is not due yet</source>
        <translation>Zeilen, die mindestens einmal fehlschlugen; ihr nächster Versuch ist noch nicht fällig</translation>
    </message>
    <message>
        <source>Dead</source>
        <translation>Dead Letter</translation>
    </message>
    <message>
        <source>Rows that will not be tried again without a person</source>
        <translation>Zeilen, die ohne einen Menschen nicht wieder versucht werden</translation>
    </message>
    <message>
        <source>Handed over / min</source>
        <translation>Übergeben / min</translation>
    </message>
    <message>
        <source>Rows handed over within the last minute, seen among the newest 1,000 by schedule</source>
        <translation>Zeilen, die in der letzten Minute übergeben wurden, unter den nach Termin neuesten 1.000</translation>
    </message>
    <message>
        <source>Created → handed over</source>
        <translation>Erstellt → übergeben</translation>
    </message>
    <message>
        <source>How long rows handed over within the last minute took, of the newest 1,000 by schedule</source>
        <translation>Wie lange in der letzten Minute übergebene Zeilen brauchten, unter den nach Termin neuesten 1.000</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>Übergeben</translation>
    </message>
    <message>
        <source>per minute</source>
        <translation>pro Minute</translation>
    </message>
    <message>
        <source>p50 and p95</source>
        <translation>p50 und p95</translation>
    </message>
    <message>
        <source>Failure rate</source>
        <translation>Fehlerquote</translation>
    </message>
    <message>
        <source>of all attempts</source>
        <translation>aller Versuche</translation>
    </message>
    <message>
        <source>Dead letters</source>
        <translation>Dead Letters</translation>
    </message>
    <message>
        <source>total</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>Oldest due</source>
        <translation>Älteste fällige</translation>
    </message>
    <message>
        <source>age</source>
        <translation>Alter</translation>
    </message>
    <message>
        <source>Queue depths</source>
        <translation>Tiefe der Queues</translation>
    </message>
    <message>
        <source>ready jobs, deepest five</source>
        <translation>bereite Jobs, die fünf tiefsten</translation>
    </message>
    <message>
        <source>The figures below are from the last answer.</source>
        <translation>Die Zahlen unten stammen aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>as of %1</source>
        <translation>Stand %1</translation>
    </message>
    <message>
        <source>oldest %1</source>
        <translation>älteste %1</translation>
    </message>
    <message>
        <source>nothing is due</source>
        <translation>nichts ist fällig</translation>
    </message>
    <message>
        <source>claimed by dispatchers</source>
        <translation>von Dispatchern beansprucht</translation>
    </message>
    <message>
        <source>next in %1</source>
        <translation>nächster in %1</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1 within a day</source>
        <translation>%1 innerhalb eines Tages</translation>
    </message>
    <message>
        <source>none within a day</source>
        <translation>keine innerhalb eines Tages</translation>
    </message>
    <message>
        <source>%1 of attempts failed</source>
        <translation>%1 der Versuche fehlgeschlagen</translation>
    </message>
    <message>
        <source>no attempt</source>
        <translation>kein Versuch</translation>
    </message>
    <message>
        <source>p95 %1</source>
        <translation>p95 %1</translation>
    </message>
    <message>
        <source>p50 %1</source>
        <translation>p50 %1</translation>
    </message>
    <message>
        <source>nothing handed over</source>
        <translation>nichts übergeben</translation>
    </message>
    <message>
        <source>%1 more alerts</source>
        <translation>%1 weitere Alarme</translation>
    </message>
    <message>
        <source>handed over</source>
        <translation>übergeben</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>dead</source>
        <translation>Dead Letter</translation>
    </message>
    <message>
        <source>oldest due</source>
        <translation>älteste fällige</translation>
    </message>
</context>
<context>
    <name>views::PageState</name>
    <message>
        <source>Working</source>
        <translation>In Arbeit</translation>
    </message>
    <message>
        <source>What the server said</source>
        <translation>Antwort des Servers</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>views::QueuesPage</name>
    <message>
        <source>Queues</source>
        <translation>Queues</translation>
    </message>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird hergestellt…</translation>
    </message>
    <message>
        <source>Filter queues</source>
        <translation>Queues filtern</translation>
    </message>
    <message>
        <source>No queue under the prefix “%1”</source>
        <translation>Keine Queue unter dem Präfix „%1“</translation>
    </message>
    <message>
        <source>A queue appears with its first job. If your workers use another prefix, set it in the connection (Ctrl+O).</source>
        <translation>Eine Queue erscheint mit ihrem ersten Job. Verwenden die Worker ein anderes Präfix, dieses in der Verbindung eintragen (Strg+O).</translation>
    </message>
    <message>
        <source>The figures below are from the last answer.</source>
        <translation>Die Zahlen unten stammen aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>1 queue</source>
        <translation>1 Queue</translation>
    </message>
    <message>
        <source>%1 queues</source>
        <translation>%1 Queues</translation>
    </message>
    <message>
        <source>%1 of %2 queues</source>
        <translation>%1 von %2 Queues</translation>
    </message>
    <message>
        <source>1 needs attention</source>
        <translation>1 auffällig</translation>
    </message>
    <message>
        <source>%1 need attention</source>
        <translation>%1 auffällig</translation>
    </message>
    <message>
        <source>Worker groups</source>
        <translation>Worker-Gruppen</translation>
    </message>
    <message>
        <source>Workers</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>queue, worker or note contains…</source>
        <translation>Queue, Worker oder Anmerkung enthält …</translation>
    </message>
    <message>
        <source>Queue, worker or note contains</source>
        <translation>Queue, Worker oder Anmerkung enthält</translation>
    </message>
    <message>
        <source>Queues or workers</source>
        <translation>Queues oder Worker</translation>
    </message>
    <message>
        <source>Switch between queues and workers</source>
        <translation>Zwischen Queues und Workern wechseln</translation>
    </message>
    <message>
        <source>Open the queue&apos;s jobs</source>
        <translation>Jobs der Queue öffnen</translation>
    </message>
    <message>
        <source>Enter</source>
        <comment>key</comment>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Looking for queues…</source>
        <translation>Queues werden gesucht …</translation>
    </message>
    <message>
        <source>Workers cannot be seen</source>
        <translation>Worker sind nicht zu sehen</translation>
    </message>
    <message>
        <source>Redis does not let this connection list its clients.</source>
        <translation>Redis lässt diese Verbindung seine Clients nicht auflisten.</translation>
    </message>
    <message>
        <source>No worker is connected</source>
        <translation>Kein Worker ist verbunden</translation>
    </message>
    <message>
        <source>Workers are told by the names of their connections to Redis.</source>
        <translation>Worker sind an den Namen ihrer Verbindungen zu Redis zu erkennen.</translation>
    </message>
    <message>
        <source>looking for more…</source>
        <translation>weitere werden gesucht …</translation>
    </message>
</context>
<context>
    <name>views::ReconcilePage</name>
    <message>
        <source>Compare</source>
        <translation>Abgleichen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Verfolgen</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Done rows due within</source>
        <translation>Erledigte Zeilen, fällig innerhalb</translation>
    </message>
    <message>
        <source>last hour</source>
        <translation>letzte Stunde</translation>
    </message>
    <message>
        <source>last 24 hours</source>
        <translation>letzte 24 Stunden</translation>
    </message>
    <message>
        <source>last 7 days</source>
        <translation>letzte 7 Tage</translation>
    </message>
    <message>
        <source>last 30 days</source>
        <translation>letzte 30 Tage</translation>
    </message>
    <message>
        <source>How far back done rows are held against their jobs</source>
        <translation>Wie weit zurück erledigte Zeilen mit ihren Jobs verglichen werden</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Abgleichs</translation>
    </message>
    <message>
        <source>Follow the chosen finding through the stores (Ctrl+T)</source>
        <translation>Den gewählten Befund durch die Speicher verfolgen (Strg+T)</translation>
    </message>
    <message>
        <source>The command that does this comparison in a terminal</source>
        <translation>Der Befehl, der diesen Abgleich im Terminal ausführt</translation>
    </message>
    <message>
        <source>Reconcile</source>
        <translation>Abgleich</translation>
    </message>
    <message>
        <source>Trace the chosen finding</source>
        <translation>Den gewählten Befund verfolgen</translation>
    </message>
    <message>
        <source>Do outbox, queues and executions fit together?</source>
        <translation>Passen Outbox, Queues und Ausführungen zusammen?</translation>
    </message>
    <message>
        <source>A comparison looks for done rows without a job, jobs without a row, duplicate jobs, and executions that nothing will finish. It reads in small steps, changes nothing, and can be stopped and resumed.</source>
        <translation>Ein Abgleich sucht erledigte Zeilen ohne Job, Jobs ohne Zeile, doppelte Jobs und Ausführungen, die nichts beenden wird. Er liest in kleinen Schritten, ändert nichts und lässt sich anhalten und fortsetzen.</translation>
    </message>
    <message>
        <source>Nothing found so far</source>
        <translation>Bisher nichts gefunden</translation>
    </message>
    <message>
        <source>Findings appear here while the comparison runs.</source>
        <translation>Befunde erscheinen hier, während der Abgleich läuft.</translation>
    </message>
    <message>
        <source>Everything fits together</source>
        <translation>Alles passt zusammen</translation>
    </message>
    <message>
        <source>Every done row has its job or its record, every job its row, and every open execution somebody to finish it.</source>
        <translation>Jede erledigte Zeile hat ihren Job oder ihren Vermerk, jeder Job seine Zeile und jede offene Ausführung jemanden, der sie beendet.</translation>
    </message>
    <message>
        <source>The comparison was stopped; Resume goes on with it.</source>
        <translation>Der Abgleich wurde angehalten; Fortsetzen macht damit weiter.</translation>
    </message>
    <message>
        <source>Not everything could be looked at</source>
        <translation>Nicht alles konnte angesehen werden</translation>
    </message>
    <message>
        <source>What was found until then is below.</source>
        <translation>Was bis dahin gefunden wurde, steht unten.</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an…</translation>
    </message>
    <message>
        <source>Compare anew, from the beginning</source>
        <translation>Von vorn neu abgleichen</translation>
    </message>
    <message>
        <source>Waiting for the connection.</source>
        <translation>Wartet auf die Verbindung.</translation>
    </message>
    <message>
        <source>Looking at done rows</source>
        <translation>Erledigte Zeilen werden angesehen</translation>
    </message>
    <message>
        <source>Looking at jobs</source>
        <translation>Jobs werden angesehen</translation>
    </message>
    <message>
        <source>Looking at open executions</source>
        <translation>Offene Ausführungen werden angesehen</translation>
    </message>
    <message>
        <source>Finished</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>Stopped at the done rows</source>
        <translation>Bei den erledigten Zeilen angehalten</translation>
    </message>
    <message>
        <source>Stopped at the jobs</source>
        <translation>Bei den Jobs angehalten</translation>
    </message>
    <message>
        <source>Stopped at the open executions</source>
        <translation>Bei den offenen Ausführungen angehalten</translation>
    </message>
    <message>
        <source>%1 · %2 done rows, %3 jobs of events, %4 open executions looked at</source>
        <translation>%1 · %2 erledigte Zeilen, %3 Jobs von Ereignissen, %4 offene Ausführungen angesehen</translation>
    </message>
    <message>
        <source>%1 rows without a job are explained by a receiver&apos;s record, an execution or the queue&apos;s events.</source>
        <translation>%1 Zeilen ohne Job erklären sich durch einen Vermerk eines Empfängers, eine Ausführung oder die Ereignisse der Queue.</translation>
    </message>
    <message>
        <source>%1 rows have no route to a queue and were left out.</source>
        <translation>%1 Zeilen haben keine Route zu einer Queue und wurden ausgelassen.</translation>
    </message>
    <message>
        <source>nothing needs attention so far</source>
        <translation>bisher ist nichts zu klären</translation>
    </message>
    <message>
        <source>1 finding needs attention</source>
        <translation>1 Befund ist zu klären</translation>
    </message>
    <message>
        <source>%1 findings need attention</source>
        <translation>%1 Befunde sind zu klären</translation>
    </message>
    <message>
        <source>nothing needs attention</source>
        <translation>nichts ist zu klären</translation>
    </message>
    <message>
        <source>Choose a finding to see what it means.</source>
        <translation>Einen Befund wählen, um zu sehen, was er bedeutet.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Vergleiche…</translation>
    </message>
</context>
<context>
    <name>views::RetentionDialog</name>
    <message>
        <source>Repeat until nothing is left</source>
        <translation>Wiederholen, bis nichts übrig ist</translation>
    </message>
    <message>
        <source>The same as command line</source>
        <translation>Dasselbe als Befehlszeile</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Erneut nachsehen</translation>
    </message>
    <message>
        <source>Remove now</source>
        <translation>Jetzt entfernen</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>Aufbewahrung</translation>
    </message>
    <message>
        <source>May go</source>
        <translation>Entfernbar</translation>
    </message>
    <message>
        <source>Oldest</source>
        <translation>Älteste</translation>
    </message>
    <message>
        <source>One run</source>
        <translation>Ein Lauf</translation>
    </message>
    <message>
        <source>at most %1 rows, in a transaction of its own</source>
        <translation>höchstens %1 Zeilen, in einer eigenen Transaktion</translation>
    </message>
    <message>
        <source>Name of the connection, to confirm</source>
        <translation>Name der Verbindung, zur Bestätigung</translation>
    </message>
    <message>
        <source>Type its name</source>
        <translation>Namen eintippen</translation>
    </message>
    <message>
        <source>In a terminal</source>
        <translation>Im Terminal</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Rows in %1 that were handed over more than %2 ago. Rows in %3 stay, however old.</source>
        <translation>Zeilen in %1, die vor mehr als %2 übergeben wurden. Zeilen in %3 bleiben, wie alt sie auch sind.</translation>
    </message>
    <message>
        <source>Removing a row frees its dispatchKey: the same key can then be published, and handed over, again.</source>
        <translation>Mit einer Zeile wird ihr dispatchKey frei: Derselbe Schlüssel kann dann erneut veröffentlicht und übergeben werden.</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>Wird gezählt…</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>The rows could not be counted</source>
        <translation>Die Zeilen konnten nicht gezählt werden</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>Wird entfernt…</translation>
    </message>
    <message>
        <source>%1 rows so far, in %2 runs.</source>
        <translation>Bisher %1 Zeilen in %2 Läufen.</translation>
    </message>
    <message>
        <source>%1 rows stayed because other sessions held or changed them.</source>
        <translation>%1 Zeilen blieben, weil andere Sitzungen sie hielten oder änderten.</translation>
    </message>
    <message>
        <source>There may be more.</source>
        <translation>Es kann mehr geben.</translation>
    </message>
    <message>
        <source>Rows removed: %1</source>
        <translation>Entfernte Zeilen: %1</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird beendet…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>The run in progress is the last one</source>
        <translation>Der laufende Lauf ist der letzte</translation>
    </message>
    <message>
        <source>This connection is read-only.</source>
        <translation>Diese Verbindung ist schreibgeschützt.</translation>
    </message>
    <message>
        <source>The preview comes first.</source>
        <translation>Zuerst kommt die Vorschau.</translation>
    </message>
    <message>
        <source>There is nothing to remove.</source>
        <translation>Es gibt nichts zu entfernen.</translation>
    </message>
    <message>
        <source>This is production: type the connection&apos;s name first.</source>
        <translation>Dies ist Produktion: Zuerst den Namen der Verbindung eintippen.</translation>
    </message>
    <message>
        <source>For good: there is no undo</source>
        <translation>Endgültig: Das lässt sich nicht rückgängig machen</translation>
    </message>
    <message>
        <source>This connection is read-only</source>
        <translation>Diese Verbindung ist schreibgeschützt</translation>
    </message>
    <message>
        <source>To remove rows, clear “Read-only” in the connection.</source>
        <translation>Um Zeilen zu entfernen, in der Verbindung „Nur lesen“ abwählen.</translation>
    </message>
</context>
<context>
    <name>views::RetentionPanel</name>
    <message>
        <source>Preview…</source>
        <translation>Vorschau…</translation>
    </message>
    <message>
        <source>Retention</source>
        <translation>Aufbewahrung</translation>
    </message>
    <message>
        <source>A setting in the environment cannot be used.</source>
        <translation>Eine Einstellung in der Umgebung ist unbrauchbar.</translation>
    </message>
    <message>
        <source>See what would go, and remove it</source>
        <translation>Ansehen, was entfernt würde, und es entfernen</translation>
    </message>
    <message>
        <source>rows handed over more than %1 ago, at most %2 a run</source>
        <translation>vor mehr als %1 übergebene Zeilen, höchstens %2 je Lauf</translation>
    </message>
    <message>
        <source>last run %1, %2 rows removed</source>
        <translation>letzter Lauf %1, %2 Zeilen entfernt</translation>
    </message>
    <message>
        <source>the last try failed</source>
        <translation>der letzte Versuch schlug fehl</translation>
    </message>
    <message>
        <source>next run %1</source>
        <translation>nächster Lauf %1</translation>
    </message>
    <message>
        <source>daily while the dispatcher runs here</source>
        <translation>täglich, solange der Dispatcher hier läuft</translation>
    </message>
</context>
<context>
    <name>views::RetryChart</name>
    <message>
        <source>No row has failed an attempt</source>
        <translation>Keine Zeile hatte einen Fehlversuch</translation>
    </message>
    <message>
        <source>handed over</source>
        <translation>übergeben</translation>
    </message>
    <message>
        <source>still waiting</source>
        <translation>noch wartend</translation>
    </message>
    <message>
        <source>%1+</source>
        <translation>%1+</translation>
    </message>
    <message>
        <source>Failed attempts</source>
        <translation>Fehlversuche</translation>
    </message>
    <message>
        <source>rows by number, now</source>
        <translation>Zeilen nach Anzahl, jetzt</translation>
    </message>
    <message>
        <source>%1 rows %2 after %3 failed attempts</source>
        <translation>%1 Zeilen %2 nach %3 Fehlversuchen</translation>
    </message>
    <message>
        <source>No samples yet</source>
        <translation>Noch keine Messwerte</translation>
    </message>
    <message>
        <source>%1 % at the first attempt</source>
        <translation>%1 % beim ersten Versuch</translation>
    </message>
    <message>
        <source>Of the newest %1 rows that were handed over.</source>
        <translation>Von den neuesten %1 übergebenen Zeilen.</translation>
    </message>
    <message>
        <source>Failed attempts per row</source>
        <translation>Fehlversuche je Zeile</translation>
    </message>
</context>
<context>
    <name>views::RowSearchLine</name>
    <message>
        <source>No index helps this filter: looking through about %1 rows, newest first…</source>
        <translation>Kein Index hilft diesem Filter: etwa %1 Zeilen werden durchgesehen, neueste zuerst …</translation>
    </message>
    <message>
        <source>%1 found; looked at all %2 rows</source>
        <translation>%1 gefunden; alle %2 Zeilen durchgesehen</translation>
    </message>
    <message>
        <source>%1 found so far; looked at %2 of about %3 rows, no index helps</source>
        <translation>Bisher %1 gefunden; %2 von etwa %3 Zeilen durchgesehen, kein Index hilft</translation>
    </message>
    <message>
        <source>enough, more are not listed: narrow the filter</source>
        <translation>genug, mehr werden nicht gezeigt: Filter einengen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>goes on when you scroll to the end</source>
        <translation>geht weiter, sobald Sie ans Ende rollen</translation>
    </message>
    <message>
        <source>%1 found; looked through the whole table</source>
        <translation>%1 gefunden; ganze Tabelle durchsucht</translation>
    </message>
    <message>
        <source>%1 found so far; no index helps</source>
        <translation>Bisher %1 gefunden; kein Index hilft</translation>
    </message>
</context>
<context>
    <name>views::SearchLine</name>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
</context>
<context>
    <name>views::TextView</name>
    <message>
        <source>Copy %1</source>
        <translation>%1 kopieren</translation>
    </message>
</context>
<context>
    <name>views::ThroughputChart</name>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>now</source>
        <translation>jetzt</translation>
    </message>
    <message>
        <source>Rows handed over per second, last five minutes</source>
        <translation>Pro Sekunde übergebene Zeilen, letzte fünf Minuten</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>Übergeben</translation>
    </message>
    <message>
        <source>per second, last five minutes</source>
        <translation>pro Sekunde, letzte fünf Minuten</translation>
    </message>
    <message>
        <source>now %1 per second</source>
        <translation>jetzt %1 pro Sekunde</translation>
    </message>
</context>
<context>
    <name>views::TimeChart</name>
    <message>
        <source>No samples in this range yet</source>
        <translation>Noch keine Messwerte in diesem Zeitraum</translation>
    </message>
</context>
<context>
    <name>views::TraceDetailPane</name>
    <message>
        <source>Id</source>
        <translation>ID</translation>
    </message>
    <message>
        <source>Trace this id</source>
        <translation>Diese ID verfolgen</translation>
    </message>
    <message>
        <source>Where it was looked for</source>
        <translation>Wo gesucht wurde</translation>
    </message>
    <message>
        <source>What was looked at, and what could not be known</source>
        <translation>Was angesehen wurde und was nicht bekannt ist</translation>
    </message>
    <message>
        <source>Choose an entry to see the row, job or execution behind it.</source>
        <translation>Einen Eintrag wählen, um die Zeile, den Job oder die Ausführung dahinter zu sehen.</translation>
    </message>
    <message>
        <source>Not known:</source>
        <translation>Nicht bekannt:</translation>
    </message>
    <message>
        <source>outbox</source>
        <translation>Outbox</translation>
    </message>
    <message>
        <source>job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>execution</source>
        <translation>Ausführung</translation>
    </message>
    <message>
        <source>When</source>
        <translation>Wann</translation>
    </message>
    <message>
        <source>nobody keeps this time</source>
        <translation>niemand hält diese Zeit fest</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Certainty</source>
        <translation>Gewissheit</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Hinweis</translation>
    </message>
    <message>
        <source>Event type</source>
        <translation>Ereignistyp</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>Tenant</source>
        <translation>Mandant</translation>
    </message>
    <message>
        <source>Dispatch key</source>
        <translation>Dispatch-Key</translation>
    </message>
    <message>
        <source>Payload</source>
        <translation>Payload</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Queue</translation>
    </message>
    <message>
        <source>Receiver&apos;s record</source>
        <translation>Vermerk des Empfängers</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Attempts</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Job data</source>
        <translation>Daten des Jobs</translation>
    </message>
    <message>
        <source>Workflow</source>
        <translation>Workflow</translation>
    </message>
    <message>
        <source>Waits for</source>
        <translation>Wartet auf</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
</context>
<context>
    <name>views::TracePage</name>
    <message>
        <source>Trace</source>
        <translation>Verfolgen</translation>
    </message>
    <message>
        <source>Copy trace</source>
        <translation>Verlauf kopieren</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>Befehl kopieren</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Id of a row, job, execution or aggregate; dispatch key, correlation or saga id</source>
        <translation>ID einer Zeile, eines Jobs, einer Ausführung oder eines Aggregats; Dispatch-Key, Korrelations- oder Saga-ID</translation>
    </message>
    <message>
        <source>Id to trace</source>
        <translation>Zu verfolgende ID</translation>
    </message>
    <message>
        <source>Follow the id through outbox, queues and executions (Enter)</source>
        <translation>Der ID durch Outbox, Queues und Ausführungen folgen (Eingabetaste)</translation>
    </message>
    <message>
        <source>The whole timeline as text</source>
        <translation>Der ganze Verlauf als Text</translation>
    </message>
    <message>
        <source>The command that shows this trace in a terminal</source>
        <translation>Der Befehl, der diesen Verlauf im Terminal zeigt</translation>
    </message>
    <message>
        <source>Type an id to trace</source>
        <translation>Eine ID zum Verfolgen eingeben</translation>
    </message>
    <message>
        <source>Copy the trace as text</source>
        <translation>Verlauf als Text kopieren</translation>
    </message>
    <message>
        <source>Copy the trace as command line</source>
        <translation>Verlauf als Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Nothing is traced yet</source>
        <translation>Noch nichts wird verfolgt</translation>
    </message>
    <message>
        <source>Type any id above and press Enter, or choose Trace on a row, a job or an execution.</source>
        <translation>Oben eine beliebige ID eingeben und die Eingabetaste drücken, oder bei einer Zeile, einem Job oder einer Ausführung Verfolgen wählen.</translation>
    </message>
    <message>
        <source>Following %1…</source>
        <translation>%1 wird verfolgt…</translation>
    </message>
    <message>
        <source>Primary keys and indexes first; a search of a whole column ends after 3 seconds.</source>
        <translation>Zuerst Primärschlüssel und Indizes; eine Suche in einer ganzen Spalte endet nach 3 Sekunden.</translation>
    </message>
    <message>
        <source>Nothing is known about %1</source>
        <translation>Über %1 ist nichts bekannt</translation>
    </message>
    <message>
        <source>outbox row %1</source>
        <translation>Outbox-Zeile %1</translation>
    </message>
    <message>
        <source>%1 outbox rows</source>
        <translation>%1 Outbox-Zeilen</translation>
    </message>
    <message>
        <source>no job now</source>
        <comment>state of a job</comment>
        <translation>jetzt kein Job</translation>
    </message>
    <message>
        <source>job %1 %2</source>
        <translation>Job %1 %2</translation>
    </message>
    <message>
        <source>%1 jobs</source>
        <translation>%1 Jobs</translation>
    </message>
    <message>
        <source>execution %1</source>
        <translation>Ausführung %1</translation>
    </message>
    <message>
        <source>%1 executions</source>
        <translation>%1 Ausführungen</translation>
    </message>
    <message>
        <source>1 follow-up event</source>
        <translation>1 Folgeereignis</translation>
    </message>
    <message>
        <source>%1 follow-up events</source>
        <translation>%1 Folgeereignisse</translation>
    </message>
    <message>
        <source>Looked at: %1</source>
        <translation>Nachgesehen: %1</translation>
    </message>
    <message>
        <source>Not known: %1</source>
        <translation>Nicht bekannt: %1</translation>
    </message>
    <message>
        <source>The trace below is from the last answer.</source>
        <translation>Der Verlauf unten stammt aus der letzten Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>%1 was not found, but not everything could be looked at</source>
        <translation>%1 wurde nicht gefunden, aber nicht alles konnte angesehen werden</translation>
    </message>
</context>
<context>
    <name>views::WholeScrollBar</name>
    <message>
        <source>Position in the whole list</source>
        <translation>Position in der ganzen Liste</translation>
    </message>
</context>
</TS>
