using BenchmarkDotNet.Configs;
using BenchmarkDotNet.Diagnosers;
using BenchmarkDotNet.Running;
using Ripple.Benchmarks.Check;

switch (args)
{
    case ["--check"]:
        return AllocationCheck.Run(Console.Out, Console.Error);
    case ["--write"]:
        return AllocationCheck.Write(Console.Out, Console.Error);
    default:
        BenchmarkSwitcher.FromAssembly(typeof(AllocationCheck).Assembly).Run(
            args, DefaultConfig.Instance.AddDiagnoser(MemoryDiagnoser.Default));
        return 0;
}
