using Ripple.PowerShell.Tests.Engine;

namespace System.Management.Automation;

/// <summary>A cmdlet under the test's pipeline. It refuses what PowerShell refuses: to be written to from another thread.</summary>
public abstract class Cmdlet
{
    internal TestPipeline Pipeline { get; set; } = null!;

    public void WriteObject(object? sendToPipeline) => Pipeline.OnOwnThread(() => Pipeline.Take(sendToPipeline));

    public void WriteError(ErrorRecord errorRecord) => Pipeline.OnOwnThread(() => Pipeline.Errors.Add(errorRecord));

    public void WriteWarning(string text) => Pipeline.OnOwnThread(() => Pipeline.Warnings.Add(text));

    public void WriteVerbose(string text) => Pipeline.OnOwnThread(() => Pipeline.Verbose.Add(text));

    public void WriteProgress(ProgressRecord progressRecord) => Pipeline.OnOwnThread(() => Pipeline.Report(progressRecord));

    public bool ShouldProcess(string verboseDescription, string verboseWarning, string caption)
    {
        Pipeline.OnOwnThread(() => Pipeline.Questions.Add((verboseDescription, verboseWarning, caption)));
        Pipeline.OnQuestion?.Invoke();
        return Pipeline.Answer;
    }

    internal void Begin() => BeginProcessing();

    internal void Process() => ProcessRecord();

    internal void End() => EndProcessing();

    internal void Stop() => StopProcessing();

    protected virtual void BeginProcessing()
    {
    }

    protected virtual void ProcessRecord()
    {
    }

    protected virtual void EndProcessing()
    {
    }

    protected virtual void StopProcessing()
    {
    }
}

public abstract class PSCmdlet : Cmdlet
{
    public string ParameterSetName => Pipeline.ParameterSetName;

    public string GetUnresolvedProviderPathFromPSPath(string path) => Path.GetFullPath(path, Pipeline.Folder);
}
