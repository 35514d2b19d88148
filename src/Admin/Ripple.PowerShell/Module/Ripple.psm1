# The cmdlets are loaded into a context of their own, so that nothing else in the session can take the place of what they need.
$cmdlets = Import-Module -Assembly ([Ripple.PowerShell.Loader.ModuleLibrary]::Load()) -PassThru

# PowerShell remembers what it imported from an assembly, and would give it to no module that is imported anew.
$ExecutionContext.SessionState.Module.OnRemove = { Remove-Module $cmdlets }.GetNewClosure()
