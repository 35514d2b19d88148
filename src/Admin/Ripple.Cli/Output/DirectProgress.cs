namespace Ripple.Cli.Output;

/// <summary>Reports synchronously on the reporting thread, so that lines keep their order.</summary>
internal sealed class DirectProgress<T>(Action<T> tell) : IProgress<T>
{
    public void Report(T value) => tell(value);
}
