using Ripple.Mutants.Drawing.Operators;

namespace Ripple.Mutants.Drawing;

/// <summary>All ways to make a program wrong that mutants are drawn from.</summary>
internal static class MutationOperators
{
    public static IReadOnlyList<IMutationOperator> All { get; } =
    [
        new ArithmeticOperator(),
        new AssignmentRemovalOperator(),
        new BoundaryOperator(),
        new CallRemovalOperator(),
        new ConstantOperator(),
        new EarlyOutOperator(),
        new EqualityOperator(),
        new LogicOperator(),
        new MinMaxOperator(),
        new NegationOperator(),
        new OperandOperator(),
        new ReturnOperator(),
    ];
}
