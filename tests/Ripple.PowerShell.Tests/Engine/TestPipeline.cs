using System.Management.Automation;
using System.Reflection;

namespace Ripple.PowerShell.Tests.Engine;

/// <summary>Runs one cmdlet over items, on this thread, and keeps what it writes.</summary>
internal sealed class TestPipeline
{
    private Thread _thread = Thread.CurrentThread;
    private Cmdlet? _running;

    public List<object?> Output { get; } = [];

    public List<ErrorRecord> Errors { get; } = [];

    public List<string> Warnings { get; } = [];

    public List<string> Verbose { get; } = [];

    public List<ProgressRecord> Progress { get; } = [];

    public List<(string Description, string Warning, string Caption)> Questions { get; } = [];

    /// <summary>What is answered to ShouldProcess.</summary>
    public bool Answer { get; init; } = true;

    /// <summary>Runs while somebody thinks about the answer.</summary>
    public Action? OnQuestion { get; init; }

    /// <summary>Where relative paths begin.</summary>
    public string Folder { get; init; } = Path.GetTempPath();

    /// <summary>After so many objects the next cmdlet has enough; null: never.</summary>
    public int? EnoughObjects { get; init; }

    /// <summary>Told each progress, on the pipeline's thread.</summary>
    public Action<ProgressRecord>? OnProgress { get; init; }

    public string ParameterSetName { get; private set; } = string.Empty;

    /// <summary>Runs it: one item for each object, whose properties are bound to parameters of the same name.</summary>
    /// <param name="parameterSet">The set that PowerShell would choose; null for the default.</param>
    /// <param name="parameters">The parameters of the command line.</param>
    /// <param name="items">What comes through the pipeline; nothing for one run without.</param>
    public TestPipeline Run<T>(string? parameterSet, object? parameters, params object[] items)
        where T : PSCmdlet, IDisposable, new()
    {
        _thread = Thread.CurrentThread;
        ParameterSetName = parameterSet ?? typeof(T).GetCustomAttribute<CmdletAttribute>()!.DefaultParameterSetName;
        using var cmdlet = new T { Pipeline = this };
        Volatile.Write(ref _running, cmdlet);
        Bind(cmdlet, parameters, isFromPipeline: false);
        cmdlet.Begin();
        PropertyInfo? whole = Parameters(typeof(T)).FirstOrDefault(
            p => p.GetCustomAttributes<ParameterAttribute>().Any(a => a.ValueFromPipeline));
        foreach (object item in items.Length == 0 ? [new object()] : items)
        {
            (PropertyInfo Parameter, object? Value)[] before = [.. Parameters(typeof(T)).Select(p => (p, p.GetValue(cmdlet)))];
            whole?.SetValue(cmdlet, items.Length == 0 ? null : item as PSObject ?? new PSObject(item));
            Bind(cmdlet, item, isFromPipeline: true);
            cmdlet.Process();
            foreach ((PropertyInfo parameter, object? value) in before)
            {
                parameter.SetValue(cmdlet, value);
            }
        }

        cmdlet.End();
        return this;
    }

    /// <summary>Ctrl-C, from another thread.</summary>
    public void Stop() => Volatile.Read(ref _running)!.Stop();

    public IEnumerable<T> Objects<T>() => Output.Cast<T>();

    /// <summary>The ids of errors, without the cmdlet that PowerShell puts behind.</summary>
    public IEnumerable<string> ErrorIds => Errors.Select(e => e.FullyQualifiedErrorId);

    public void OnOwnThread(Action write)
    {
        if (Thread.CurrentThread != _thread)
        {
            throw new InvalidOperationException("The pipeline is written to from another thread than its own.");
        }

        write();
    }

    public void Take(object? item)
    {
        Output.Add(item);
        if (Output.Count >= EnoughObjects)
        {
            throw new EnoughException();
        }
    }

    public void Report(ProgressRecord record)
    {
        Progress.Add(record);
        OnProgress?.Invoke(record);
    }

    private static void Bind(object cmdlet, object? values, bool isFromPipeline)
    {
        foreach (PropertyInfo value in values?.GetType().GetProperties() ?? [])
        {
            PropertyInfo? parameter = Parameters(cmdlet.GetType()).FirstOrDefault(
                p => p.Name == value.Name || p.GetCustomAttribute<AliasAttribute>()?.AliasNames.Contains(value.Name) == true);
            if (parameter is null
                || (isFromPipeline && !parameter.GetCustomAttributes<ParameterAttribute>().Any(a => a.ValueFromPipelineByPropertyName)))
            {
                Assert.True(isFromPipeline, $"{cmdlet.GetType().Name} has no parameter {value.Name}.");
                continue;
            }

            parameter.SetValue(cmdlet, Convert(value.GetValue(values), parameter.PropertyType));
        }
    }

    /// <summary>The conversions of PowerShell that tests need.</summary>
    private static object? Convert(object? value, Type type)
    {
        Type plain = Nullable.GetUnderlyingType(type) ?? type;
        return value switch
        {
            null => null,
            bool truth when plain == typeof(SwitchParameter) => (SwitchParameter)truth,
            string text when plain == typeof(string[]) => new[] { text },
            ulong number when plain == typeof(ulong[]) => new[] { number },
            int number when plain == typeof(ulong) => (ulong)number,
            int number when plain == typeof(ulong[]) => new[] { (ulong)number },
            _ => value,
        };
    }

    public static IEnumerable<PropertyInfo> Parameters(Type cmdlet) =>
        cmdlet.GetProperties().Where(p => p.IsDefined(typeof(ParameterAttribute)));

    /// <summary>As Select-Object -First ends what is before it.</summary>
    internal sealed class EnoughException : Exception;
}
