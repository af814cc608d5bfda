package io.quotascope.validate.fit;

import java.util.List;

/** Ordinary least squares by the normal equations: small, dense, the same bits every time. */
final class LeastSquares {
    private LeastSquares() {}

    /**
     * Coefficients that come nearest to the targets.
     *
     * @param rows values of the terms, one row for each target
     * @throws IllegalArgumentException when two terms cannot be told apart
     */
    static double[] fit(List<double[]> rows, List<Double> targets) {
        int terms = rows.get(0).length;
        double[][] normal = new double[terms][terms + 1];
        for (int row = 0; row < rows.size(); row++) {
            double[] values = rows.get(row);
            for (int one = 0; one < terms; one++) {
                for (int other = 0; other < terms; other++) {
                    normal[one][other] += values[one] * values[other];
                }
                normal[one][terms] += values[one] * targets.get(row);
            }
        }
        return solve(normal);
    }

    /** Gauss and Jordan with the largest pivot. */
    private static double[] solve(double[][] system) {
        int size = system.length;
        for (int column = 0; column < size; column++) {
            int pivot = column;
            for (int row = column + 1; row < size; row++) {
                if (Math.abs(system[row][column]) > Math.abs(system[pivot][column])) {
                    pivot = row;
                }
            }
            if (Math.abs(system[pivot][column]) < 1e-9) {
                throw new IllegalArgumentException("terms cannot be told apart: " + column);
            }
            double[] swapped = system[column];
            system[column] = system[pivot];
            system[pivot] = swapped;
            for (int row = 0; row < size; row++) {
                double factor = system[row][column] / system[column][column];
                for (int term = column; row != column && term <= size; term++) {
                    system[row][term] -= factor * system[column][term];
                }
            }
        }
        double[] solution = new double[size];
        for (int term = 0; term < size; term++) {
            solution[term] = system[term][size] / system[term][term];
        }
        return solution;
    }

    /** Sum of products. */
    static double predict(double[] coefficients, double[] values) {
        double sum = 0;
        for (int term = 0; term < values.length; term++) {
            sum += coefficients[term] * values[term];
        }
        return sum;
    }
}
