# The module in PowerShell itself, against a host that runs. Run by the tests:
#   pwsh -NoProfile -NonInteractive -File Module.Tests.ps1 -Module FOLDER -Connection FILE -Foreign ASSEMBLY
# The host has the application shop with the nodes web-1 and web-2; web-2 rejects what says "bad".
# Each check writes a line; the last says how many there were. Exits with 1 when one failed.
param(
    [Parameter(Mandatory)] [string] $Module,
    [Parameter(Mandatory)] [string] $Connection,

    # Another copy of what the module has in lib, which is loaded into the session before it.
    [Parameter(Mandatory)] [string] $Foreign
)

Set-StrictMode -Version Latest
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'Continue'
$script:passed = 0
$script:failed = 0

function Check([string] $Name, [scriptblock] $Test) {
    try {
        & $Test
        $script:passed++
        Write-Output "ok      $Name"
    }
    catch {
        $script:failed++
        Write-Output "FAILED  $Name`n        $_`n        $($_.ScriptStackTrace)"
    }
}

function Equal($Expected, $Actual) {
    if ("$Expected" -cne "$Actual") { throw "expected '$Expected', got '$Actual'" }
}

function ErrorId([scriptblock] $Action) {
    try { & $Action | Out-Null } catch { return ($_.FullyQualifiedErrorId -split ',')[0] }
    return 'none'
}

# What a script with $ErrorActionPreference at its default does: what it wrote, and whether it ended before its end.
function RunScript([string] $Text) {
    $shell = [powershell]::Create()
    try {
        $null = $shell.AddScript("Import-Module '$Module'`n$Text")
        "$($shell.Invoke())"
    }
    catch {
        "ended: $($_.Exception.InnerException.ErrorRecord.FullyQualifiedErrorId)"
    }
    finally { $shell.Dispose() }
}

$all = 'Compare-RippleRelease Connect-Ripple Export-RippleConfig Get-RippleApplication Get-RippleAudit Get-RippleConfig ' +
    'Get-RippleDefinition Get-RippleNode Get-RippleRegion Get-RippleRelease Get-RippleRole Get-RippleSpace Get-RippleToken ' +
    'Grant-RippleRole Import-RippleConfig New-RippleApplication New-RippleToken Publish-RippleRelease Remove-RippleDefinition ' +
    'Remove-RippleToken Remove-RippleValue Revoke-RippleRole Send-RippleEvent Send-RippleReport Set-RippleDefinition Set-RippleSpace ' +
    'Set-RippleValue Undo-RippleRelease Wait-RippleRelease Watch-RippleEvent Watch-RippleFrontier Watch-RippleRelease'
$folder = New-Item -ItemType Directory (Join-Path ([IO.Path]::GetTempPath()) ([guid]::NewGuid()))

Check 'imports with its cmdlets, and nothing else' {
    Add-Type -Path $Foreign
    Import-Module $Module
    Import-Module $Module -Force
    $commands = (Get-Command -Module Ripple).Name | Sort-Object
    Equal $all ($commands -join ' ')
    $verbs = (Get-Verb).Verb
    foreach ($command in Get-Command -Module Ripple) { if ($verbs -notcontains $command.Verb) { throw $command.Name } }
}

Check 'has help with examples for each' {
    foreach ($command in Get-Command -Module Ripple) {
        $help = Get-Help $command.Name -Full
        if (@($help.examples.example).Count -lt 2) { throw "$($command.Name) has no examples" }
        if (-not $help.description) { throw "$($command.Name) has no description" }
    }
    if ((Get-Help about_Ripple) -notmatch 'Wait-RippleRelease') { throw 'about_Ripple is not found' }
}

Check 'says what to do without a connection' {
    Equal 'Ripple.not_connected' (ErrorId { Get-RippleRelease shop })
}

Check 'refuses what is no connection string' {
    Equal 'Ripple.invalid_connection' (ErrorId { Connect-Ripple nonsense })
    Equal 'Ripple.invalid_connection' (ErrorId { Connect-Ripple $null })
    Equal 'Ripple.invalid_connection' (ErrorId { Connect-Ripple (ConvertTo-SecureString nonsense -AsPlainText -Force) })
}

Check 'connects, and gives the connection out' {
    $info = Connect-Ripple -Path $Connection
    Equal 'RippleConnection' $info.GetType().Name
    if ($info.Roles -notcontains 'admin of *') { throw "roles: $($info.Roles)" }
    Equal 'shop' (Get-RippleApplication -Connection $info).Application
    Equal 'shop' (Get-RippleApplication -Connection (Connect-Ripple (Get-Content $Connection))).Application
    $secret = ConvertTo-SecureString (Get-Content $Connection) -AsPlainText -Force
    Equal 'shop' (Get-RippleApplication -Connection (Connect-Ripple $secret)).Application
    if (($info | ConvertTo-Json) -match 'Token=|Client') { throw 'the connection shows its secret' }
}

Check 'a connection that fails ends the script and leaves none' {
    Equal 'went on' (RunScript "Get-RippleRelease nowhere -ErrorAction SilentlyContinue; 'went on'")
    Equal 'ended: Ripple.unreadable' (RunScript "Connect-Ripple -Path /no-such-file -ErrorAction SilentlyContinue; 'went on'")
    Equal 'ended: Ripple.invalid_connection' (RunScript "Connect-Ripple `$null; 'went on'")
    Equal 'Ripple.not_connected' (ErrorId { Get-RippleRelease shop })
    $script:session = Connect-Ripple -Path $Connection
    if (-not (Get-RippleApplication shop)) { throw 'is not connected' }
}

Check 'keeps the client apart from PowerShell' {
    $context = [System.Runtime.Loader.AssemblyLoadContext]::All | Where-Object Name -eq 'Ripple'
    $names = $context.Assemblies.ForEach({ $_.GetName().Name })
    foreach ($name in 'Ripple.PowerShell', 'Ripple.Admin', 'Ripple.Trust', 'Polly.Core') {
        if ($names -notcontains $name) { throw "in it: $names" }
    }
    # The other copy is in the session, and not in the way.
    $others = [System.Runtime.Loader.AssemblyLoadContext]::Default.Assemblies.ForEach({ $_.GetName().Name })
    if ($others -notcontains 'Ripple.Trust') { throw "in the session: $others" }
}

Check 'WhatIf names the nodes and changes nothing' {
    Publish-RippleRelease shop a.json '{ "n": 1 }' -WhatIf
    Equal 0 @(Get-RippleRelease shop).Count
}

Check 'publishes, and waits until every node has it' {
    $release = Publish-RippleRelease shop a.json '{ "n": 1 }' -Note first -Wait -PassThru
    Equal 1 $release.Release
    Equal 0 @(Get-RippleNode shop -BehindRelease 1).Count
}

Check 'publishes one release of a pipeline' {
    1..3 | ForEach-Object { [pscustomobject]@{ Application = 'shop'; Key = "k/$_"; Value = "$_" } } | Publish-RippleRelease
    Equal 'k/1 k/2 k/3' ((Get-RippleRelease shop -Release 2).Set -join ' ')
}

Check 'publishes nothing of a pipeline with an item that cannot be taken' {
    function Refused([object[]] $Items) {
        $Items | Publish-RippleRelease shop -ErrorAction SilentlyContinue -WarningAction SilentlyContinue -ErrorVariable failures
        Equal 'Ripple.invalid_value' (($failures[0].FullyQualifiedErrorId -split ',')[0])
        Equal 2 (Get-RippleRelease shop | Select-Object -First 1).Release
    }
    $good = [pscustomobject]@{ Key = 'p/1'; Value = '1' }
    Refused $good, ([pscustomobject]@{ Key = 'p/2'; Value = $null })
    Refused $good, ([pscustomobject]@{ Key = 'p/2'; Vale = 'x' })
    Refused $good, ([pscustomobject]@{ Key = ''; Value = 'x' })
    Refused $good, ([pscustomobject]@{ Key = 'a', 'b'; Value = 'x' })
    Refused $good, ([pscustomobject]@{ Key = 'p/2'; Remove = 'maybe' })
    Refused $good, 'a word', 5
    Refused ("Key,Value`ns/1,1`n,3" | ConvertFrom-Csv)
}

Check 'publishes files under their names, byte for byte' {
    [IO.File]::WriteAllBytes((Join-Path $folder f.bin), [byte[]](255, 0, 1))
    Get-ChildItem $folder | Publish-RippleRelease shop
    Equal '255 0 1' ((Get-RippleConfig shop f.bin).Value -join ' ')
}

Check 'reads with wildcards, and copies what it reads' {
    Equal 'k/1 k/2 k/3' ((Get-RippleConfig sh* K/*).Key -join ' ')
    Get-RippleConfig shop k/1 | ForEach-Object { $_ | Select-Object Application, @{ n = 'Key'; e = { 'copy' } }, Value } |
        Publish-RippleRelease
    Equal '1' (Get-RippleConfig shop copy).Value
}

Check 'sets and removes in one release, by keys of items and of a block' {
    $file = Join-Path $folder f.bin
    @{ Key = 'new'; Value = 5 }, @{ Key = 'f.bin'; Remove = $true }, [pscustomobject]@{ Key = 'conf/f'; FullName = $file } |
        Publish-RippleRelease shop
    $release = Get-RippleRelease shop | Select-Object -First 1
    Equal 'conf/f new - f.bin' "$($release.Set | Sort-Object) - $($release.Removed)"
    Get-Item $file | Publish-RippleRelease shop -Key { "made/$($_.Name)" }
    Equal '255 0 1' ((Get-RippleConfig shop made/f.bin).Value -join ' ')
    Equal 'Ripple.invalid_value' (ErrorId { Get-Item $file | Publish-RippleRelease shop -Key { $_.Name.Substring(99) } })
}

Check 'takes Select-Object -First' {
    Equal 6 (Get-RippleRelease shop | Select-Object -First 1).Release
}

Check 'gives an error for each item that fails, and goes on' {
    $found = Get-RippleRelease shop -Release 1, 99, 2 -ErrorAction SilentlyContinue -ErrorVariable failures
    Equal '1 2' ($found.Release -join ' ')
    Equal 'Ripple.not_found' (($failures[0].FullyQualifiedErrorId -split ',')[0])
    Equal 'ObjectNotFound' $failures[0].CategoryInfo.Category
}

Check 'refuses with stable ids' {
    Equal 'Ripple.wrong_expected_release' (ErrorId { Publish-RippleRelease shop a.json '{ "n": 2 }' -ExpectedRelease 1 })
    Equal 'Ripple.invalid_json' (ErrorId { Publish-RippleRelease shop a.json '{' })
    Equal 'Ripple.invalid_value' (ErrorId { Publish-RippleRelease shop a.json @{ n = 1 } })
    Equal 'Ripple.unknown_application' (ErrorId { Publish-RippleRelease nowhere a.json '{}' })
}

Check 'names who rejected a release, and why' {
    $failure = $null
    try { Publish-RippleRelease shop a.json '{ "it": "bad" }' -Wait -TimeoutSeconds 60 } catch { $failure = $_ }
    Equal 'Ripple.cannot_hold' (($failure.FullyQualifiedErrorId -split ',')[0])
    if ("$failure" -notmatch 'web-2.*it says bad') { throw "$failure" }
}

Check 'undoes through the pipeline' {
    Get-RippleRelease shop -Release 7 | Undo-RippleRelease -Confirm:$false -Wait
    Equal '{ "n": 1 }' (Get-RippleConfig shop a.json).Value
    Equal 'Ripple.wrong_expected_release' (ErrorId { Undo-RippleRelease shop 7 -Confirm:$false })
}

Check 'does not undo where nobody can be asked' {
    $before = (Get-RippleRelease shop | Select-Object -First 1).Release
    try { Undo-RippleRelease shop $before } catch { }
    Equal $before (Get-RippleRelease shop | Select-Object -First 1).Release
}

Check 'waits by the pipeline and by a predicate' {
    $result = Get-RippleRelease shop -Release 8 | Wait-RippleRelease -TimeoutSeconds 60
    Equal 'Held 2' "$($result.Outcome) $($result.Total)"
    Equal 'Held' (Wait-RippleRelease shop 8 -Predicate 'MAX($ALL.applied)').Outcome
}

Check 'completes applications, keys and nodes' {
    function Complete([string] $Line) { (TabExpansion2 $Line $Line.Length).CompletionMatches.CompletionText -join ' ' }
    Equal 'shop' (Complete 'Get-RippleNode sh')
    Equal 'k/1 k/2 k/3' (Complete 'Get-RippleConfig shop k/')
    Equal 'web-1 web-2' (Complete 'Get-RippleNode shop -Name web')
}

Check 'edits one place, and shows what it would' {
    Publish-RippleRelease shop limits.json "{`n  // why`n  `"max`": 5`n}`n"
    Set-RippleValue shop limits.json /max 7 -WhatIf
    $edit = Set-RippleValue shop limits.json /max 7 -PassThru -Wait
    Equal '5 7' "$($edit.Before) $($edit.After)"
    Set-RippleValue shop limits.json /hosts -Json '[ "a" ]'
    Set-RippleValue shop limits.json /hosts/- it"'"s
    [pscustomobject]@{ Key = 'limits.json'; Pointer = '/none'; Value = $null } | Set-RippleValue shop
    Remove-RippleValue shop limits.json /hosts/0
    Equal "{`n  // why`n  `"max`": 7,`n  `"hosts`": [ `"it's`" ],`n  `"none`": null`n}`n" (Get-RippleConfig shop limits.json).Value
    Equal 'Ripple.edit_refused' (ErrorId { Set-RippleValue shop limits.json /a/b 1 })
    Equal 'Ripple.invalid_value' (ErrorId { Set-RippleValue shop limits.json /max @{ n = 1 } })
}

Check 'reads keys with wildcards in their names, and refuses a malformed one' {
    Publish-RippleRelease shop 'u/[br]' 1
    Publish-RippleRelease shop 'u/b' 2
    Equal '1' (Get-RippleConfig shop 'u/`[br`]').Value
    Equal 'u/[br] u/b' ((Get-RippleConfig shop 'u/[br]').Key -join ' ')
    $line = 'Get-RippleConfig shop u/['
    Equal "'u/``[br``]'" (TabExpansion2 $line $line.Length).CompletionMatches[0].CompletionText
    $found = & { Get-RippleConfig shop 'k/[1', k/1 -ErrorAction SilentlyContinue; 'went on' }
    Equal 'went on' $found
    Equal 'Ripple.invalid_request' (ErrorId { Get-RippleNode shop 'web-[' })
}

Check 'selects nodes by their state' {
    foreach ($state in 'Present', 'Silent', 'Left', 'Failed') { $null = Get-RippleNode shop -State $state }
    Equal 'web-1 web-2' ((Get-RippleNode shop -State Present).Name -join ' ')
    Equal 'web-1 web-2' ((Get-RippleApplication | Get-RippleNode).Name -join ' ')
    if (@(Get-RippleRegion).Count -lt 1) { throw 'no region' }
}

Check 'creates an application, and says that nobody is there to wait for' {
    Equal 'fresh' (New-RippleApplication fresh).Application
    Equal 'Ripple.already_exists' (ErrorId { New-RippleApplication fresh })
    New-RippleApplication other -WhatIf
    Equal 'fresh shop' ((Get-RippleApplication).Application -join ' ')
    Equal 'Ripple.no_members' (ErrorId { Publish-RippleRelease fresh a 1 -Wait })
    Equal 1 (Get-RippleApplication fresh).NewestRelease
}

Check 'counts who has what ended before it was asked' {
    $newest = (Get-RippleApplication shop).NewestRelease
    Publish-RippleRelease shop a.json '{ "it": "bad" }' -Wait -TimeoutSeconds 60 -ErrorAction SilentlyContinue
    $until = (Get-Date).AddSeconds(60)
    do { Start-Sleep -Milliseconds 50 } until ((Get-RippleNode shop web-1).Applied -gt $newest -or (Get-Date) -gt $until)
    $result = Wait-RippleRelease shop ($newest + 1) -ErrorAction SilentlyContinue
    Equal 'CannotHold 1 2' "$($result.Outcome) $($result.Holding) $($result.Total)"
    Undo-RippleRelease shop ($newest + 1) -Confirm:$false
}

Check 'compares, exports, imports and watches' {
    # The job connects meanwhile, which changes the connection of all who name none.
    $own = @{ Connection = $script:session }
    $newest = (Get-RippleApplication shop @own).NewestRelease
    $job = [powershell]::Create()
    $null = $job.AddScript({ param($Module, $Path, $After) Import-Module $Module; $c = Connect-Ripple -Path $Path
        Watch-RippleRelease shop -After $After -IntervalSeconds 1 -TimeoutSeconds 60 -Connection $c | Select-Object -First 2 })
    $null = $job.AddArgument($Module).AddArgument($Connection).AddArgument($newest)
    $running = $job.BeginInvoke()
    $file = Join-Path $folder shop.zip
    Equal $newest (Export-RippleConfig shop $file @own).Release
    Equal 'Ripple.unwritable' (ErrorId { Export-RippleConfig shop $file -NoClobber @own })
    Publish-RippleRelease shop zz 1 @own
    Import-RippleConfig shop $file -Replace -WhatIf @own
    Import-RippleConfig shop $file -Replace -Note back @own
    $difference = Compare-RippleRelease shop $newest ($newest + 1) @own
    Equal 'zz Added 1' "$($difference.Key) $($difference.Change) $($difference.After)"
    Equal 0 @(Compare-RippleRelease shop $newest @own).Count
    Equal "$($newest + 1) $($newest + 2)" ($job.EndInvoke($running).Release -join ' ')
    $job.Dispose()
    $script:session = Connect-Ripple -Path $Connection
}

Check 'gives tokens and roles out, and takes them back' {
    $file = Join-Path $folder ci.connection
    $token = New-RippleToken shop -Role Publisher -Name ci -ExpiresInDays 7 -Path $file
    $ci = Connect-Ripple -Path $file
    $null = Connect-Ripple -Path $Connection
    Publish-RippleRelease shop by-ci 1 -Connection $ci
    Equal 'Ripple.not_allowed' (ErrorId { Get-RippleAudit -Connection $ci })
    Equal 'ci Good publisher of shop' "$($token.Name) $((Get-RippleToken $token.TokenId).State) $($token.Roles)"
    Equal 'SecureString' (New-RippleToken fresh -AsSecureString).ConnectionString.GetType().Name
    Grant-RippleRole $token.TokenId fresh Node
    Equal 'fresh shop' (((Get-RippleRole $token.TokenId).Application | Sort-Object) -join ' ')
    Revoke-RippleRole $token.TokenId fresh -WhatIf
    Equal 'fresh' (Revoke-RippleRole $token.TokenId fresh -Confirm:$false -PassThru).Roles[0].Application
    $token | Remove-RippleToken -Confirm:$false
    Equal 'Revoked' (Get-RippleToken ci).State
    Equal 'Ripple.unauthenticated' (ErrorId { Publish-RippleRelease shop by-ci 2 -Connection $ci })
    $actions = (Get-RippleAudit -Since (Get-Date).AddMinutes(-10)).Action | Select-Object -Unique
    foreach ($action in 'release.publish', 'token.create', 'token.revoke') { if ($actions -notcontains $action) { throw "$actions" } }
    Equal 0 @(Get-RippleAudit shop -Action nothing.*).Count
}

Check 'says what is stable, reports it and follows it' {
    Set-RippleDefinition shop Level verified 'its checks have passed'
    Set-RippleDefinition shop External bench 'in hall 3'
    Set-RippleDefinition shop Area eu 'eu-1,eu-2' -WhatIf
    $set = Set-RippleDefinition shop Predicate safe 'MIN($EXTERNAL_bench.verified)' -Note why -PassThru
    Equal '$shop' $set.Application
    Equal 'safe verified bench' ((Get-RippleDefinition shop).Name -join ' ')
    Equal 'why' (Get-RippleRelease '$shop')[0].Note
    $newest = (Get-RippleRelease shop)[0].Release
    Equal "verified $newest" "$((Send-RippleReport shop $newest verified bench -PassThru) | ForEach-Object { $_.Level, $_.Release })"
    Wait-RippleRelease shop $newest -Predicate safe
    $point = Watch-RippleFrontier shop safe -Until $newest -TimeoutSeconds 60
    Equal "$newest" "$(@($point)[-1].Release)"
    Equal 1 @(Get-RippleDefinition sho* b* -Kind External).Count
    Equal 'Ripple.invalid_predicate' (ErrorId { Set-RippleDefinition shop Predicate odd 'MIN(' })
    Equal 'Ripple.not_found' (ErrorId { Send-RippleReport shop $newest verified bensh })
    Equal 'Ripple.invalid_request' (ErrorId { Send-RippleReport shop one verified bench })
    Equal 'Ripple.invalid_request' (ErrorId { Remove-RippleDefinition shop Level verified -Confirm:$false })
    Get-RippleDefinition shop | Where-Object Kind -NE Level | Remove-RippleDefinition -Confirm:$false
    Equal 'verified' "$((Get-RippleDefinition shop).Name)"
}

Check 'emits events and follows them' {
    Equal 'Ripple.not_found' (ErrorId { Get-RippleSpace shop })
    Set-RippleSpace shop price:real:0..1000:USD, at:time -WhatIf
    Set-RippleSpace shop price:real:0..1000:USD, at:time
    Equal 'price:real:0..1000:USD at:time' ((Get-RippleSpace sho*).Dimension -join ' ')
    $watch = [powershell]::Create()
    $null = $watch.AddScript("Import-Module '$Module'; Watch-RippleEvent shop price=10..20 -Count 1 -TimeoutSeconds 60")
    $running = $watch.BeginInvoke()
    $until = (Get-Date).AddSeconds(30)
    while (@(Get-RippleSpace shop -Explain @{ price = 15 }).Count -eq 0 -and (Get-Date) -lt $until) { Start-Sleep -Milliseconds 100 }
    Equal 'price=10..20' ((Get-RippleSpace shop -Explain @{ price = 15 }).Where -join ' ')
    Equal 0 @(Get-RippleSpace shop -Explain @{ price = 20 }).Count
    $at = [DateTimeOffset]::new(2026, 1, 2, 3, 4, 5, [TimeSpan]::Zero)
    $sent = Send-RippleEvent shop @{ price = 15.5; at = $at } 'sold' -PassThru
    Equal 'Delivered 1' "$($sent.Stage) $($sent.SubscriberCount)"
    $seen = $watch.EndInvoke($running)[0]
    $watch.Dispose()
    Equal 'at=2026-01-02T03:04:05Z price=15.5 sold' "$($seen.Point | Sort-Object) $($seen.Value)"
    Equal 'Ripple.invalid_request' (ErrorId { Send-RippleEvent shop @{ price = 15.5 } })
    Equal 'Ripple.invalid_value' (ErrorId { Send-RippleEvent shop @{ price = @(1, 2); at = $at } })
}

Check 'shows in 80 columns what matters' {
    function Shows([object] $What, [string[]] $Words) {
        $text = $What | Out-String -Width 80
        foreach ($word in $Words) { if (-not $text.Contains($word)) { throw "no '$word' in`n$text" } }
    }
    Shows (Get-RippleNode shop) 'Name', 'Zone', 'State', 'Received', 'Applied', 'Rejected', 'it says bad'
    Shows (Get-RippleRelease shop) 'Application: shop', 'Release', 'Time', 'Actor', 'Changes', 'first', 'zz', '3 keys'
    Shows (Get-RippleConfig shop k/1) 'release', 'Key', 'Bytes', 'Value', 'k/1'
    Shows (Connect-Ripple -Path $Connection) 'Cluster', 'Host', 'Actor', 'admin of *'
    Shows (Get-RippleToken) 'Expires', 'publisher of shop'
    Shows (Get-RippleRole) 'Admin', 'MadeBy'
    Shows (Get-RippleAudit) 'release.publish', 'Detail'
    Shows (Compare-RippleRelease shop 0) 'Added', 'limits.json'
    Shows (Compare-RippleRelease shop 0 1 | Format-List) 'Before', 'After', '"n"'
    Shows (Get-RippleApplication) 'Release', 'Keys', 'Nodes'
    Shows (Get-RippleRegion) 'Members', 'Substituted', 'AgeMs'
    Shows (Get-RippleDefinition shop) 'Kind', 'Reported', 'its checks have passed'
    Shows (Watch-RippleFrontier shop 'MAX($REPLICAS.persisted)' -Until 1) 'Generation', 'Version', 'Problem'
    Shows (Get-RippleSpace shop) 'Dimension', 'price:real:0..1000:USD, at:time'
    Shows (Send-RippleEvent shop @{ price = 1; at = Get-Date } -PassThru) 'Stage', 'Delivered', 'SubscriberCount'
    Shows (Set-RippleValue shop limits.json /max 7 -PassThru) 'Pointer', '/max'
}

Check 'does not let others write to the terminal' {
    Publish-RippleRelease shop esc "a$([char]27)[31mred$([char]27)]0;owned$([char]7)"
    $value = Get-RippleConfig shop esc
    $difference = Compare-RippleRelease shop 0
    foreach ($text in ($value | Out-String), ($value | Format-List | Out-String), ($difference | Format-List | Out-String)) {
        if ($text.Contains([char]27) -or $text -notmatch '\\u001B\[31mred') { throw $text }
    }
}

Check 'offers no key that ends its quotes' {
    $key = "zz$([char]0x2019); New-Item $folder/pwned -Force; #"
    Publish-RippleRelease shop $key 1
    $line = 'Get-RippleConfig shop zz'
    $offered = (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText | Where-Object { $_ -match 'pwned' }
    Equal $key ([scriptblock]::Create("Get-RippleConfig shop $offered").Invoke().Key)
    if (Test-Path $folder/pwned) { throw 'it was run' }
}

Remove-Item -Recurse $folder
Write-Output "$script:passed passed, $script:failed failed"
exit [int]($script:failed -gt 0)
