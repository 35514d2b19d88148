namespace Ripple.Cli.Output;

/// <summary>Tells at once, on the thread that reports: lines keep their order.</summary>
internal sealed class DirectProgress<T>(Action<T> tell) : IProgress<T>
{
    public void Report(T value) => tell(value);
}
